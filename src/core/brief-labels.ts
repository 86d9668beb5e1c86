/** A brief's four sections, and the words that a frozen file is written with in each language. Tables only. */

/** The sections in their order. */
export const SECTIONS = ["goal", "accept", "bounds", "unknowns"] as const;

export type SectionKey = (typeof SECTIONS)[number];

/** What a frozen file in one language says, and how people are asked to freeze it. */
export interface BriefWords extends Record<SectionKey, string> {
  title: string;
  note: string;
  /** Stands for an empty section, in round brackets. */
  empty: string;
  /** Heads what people wrote after the file was frozen. */
  amendments: string;
  freezeIt: string;
  changeIt: string;
  mayFreeze: string;
}

export const LANGUAGES = ["en", "zh", "fr", "es", "de"] as const;

export type BriefLanguage = (typeof LANGUAGES)[number];

/** What is said where a language is not known. */
export const ENGLISH: BriefWords = {
  goal: "Goal",
  accept: "Acceptance criteria",
  bounds: "Boundaries",
  unknowns: "Unknowns and assumptions",
  title: "Brief",
  note: "Frozen. To change what is wanted, edit this file; delete it to be asked again.",
  empty: "left empty",
  amendments: "Amendments",
  freezeIt: "Freeze it",
  changeIt: "Change it",
  mayFreeze: "Is this what is wanted? Then the brief is frozen, and work begins.",
};

/** By language. */
export const BRIEF_WORDS: Record<BriefLanguage, BriefWords> = {
  en: ENGLISH,
  zh: {
    goal: "目标",
    accept: "验收标准",
    bounds: "边界",
    unknowns: "未知与假设",
    title: "需求确认书",
    note: "已定稿。要改需求，直接改这个文件；删掉它，就会重新提问。",
    empty: "未填",
    amendments: "补充",
    freezeIt: "定稿",
    changeIt: "要修改",
    mayFreeze: "需求是这样吗？确认后定稿，开始动手。",
  },
  fr: {
    goal: "Objectif",
    accept: "Critères d'acceptation",
    bounds: "Limites",
    unknowns: "Inconnues et hypothèses",
    title: "Cahier des charges",
    note: "Figé. Pour changer la demande, modifiez ce fichier ; supprimez-le pour être interrogé à nouveau.",
    empty: "non rempli",
    amendments: "Compléments",
    freezeIt: "Figer",
    changeIt: "À modifier",
    mayFreeze: "Est-ce bien ce qui est voulu ? Alors le cahier des charges est figé et le travail commence.",
  },
  es: {
    goal: "Objetivo",
    accept: "Criterios de aceptación",
    bounds: "Límites",
    unknowns: "Incógnitas y supuestos",
    title: "Encargo",
    note: "Fijado. Para cambiar lo que se pide, edite este archivo; bórrelo para que se le pregunte de nuevo.",
    empty: "sin rellenar",
    amendments: "Añadidos",
    freezeIt: "Fijarlo",
    changeIt: "Cambiarlo",
    mayFreeze: "¿Es esto lo que se quiere? Entonces el encargo queda fijado y empieza el trabajo.",
  },
  de: {
    goal: "Ziel",
    accept: "Abnahmekriterien",
    bounds: "Grenzen",
    unknowns: "Unbekanntes und Annahmen",
    title: "Auftrag",
    note: "Festgeschrieben. Wer etwas anderes will, ändert diese Datei; wer sie löscht, wird neu gefragt.",
    empty: "nicht ausgefüllt",
    amendments: "Nachträge",
    freezeIt: "Festschreiben",
    changeIt: "Ändern",
    mayFreeze:
      "Ist es das, was gewünscht wird? Dann wird der Auftrag festgeschrieben und die Arbeit beginnt.",
  },
};

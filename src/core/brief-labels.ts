/**
 * The names of a brief's four sections in each language: the labels that are recognised, and the words that a frozen
 * file is written with. Tables only.
 */

/** The sections in their order. */
export const SECTIONS = ["goal", "accept", "bounds", "unknowns"] as const;

export type SectionKey = (typeof SECTIONS)[number];

/** What a frozen file in one language says. */
export interface BriefWords extends Record<SectionKey, string> {
  title: string;
  note: string;
  /** Stands for an empty section, in round brackets. */
  empty: string;
}

/** What is said where a language is not known. */
export const ENGLISH: BriefWords = {
  goal: "Goal",
  accept: "Acceptance criteria",
  bounds: "Boundaries",
  unknowns: "Unknowns and assumptions",
  title: "Brief",
  note: "Frozen. To change what is wanted, edit this file; delete it to be asked again.",
  empty: "left empty",
};

/** By language. */
export const BRIEF_WORDS: Record<"zh" | "en" | "fr" | "es" | "de", BriefWords> = {
  en: ENGLISH,
  zh: {
    goal: "目标",
    accept: "验收标准",
    bounds: "边界",
    unknowns: "未知与假设",
    title: "需求确认书",
    note: "已定稿。要改需求，直接改这个文件；删掉它，就会重新提问。",
    empty: "未填",
  },
  fr: {
    goal: "Objectif",
    accept: "Critères d'acceptation",
    bounds: "Limites",
    unknowns: "Inconnues et hypothèses",
    title: "Cahier des charges",
    note: "Figé. Pour changer la demande, modifiez ce fichier ; supprimez-le pour être interrogé à nouveau.",
    empty: "non rempli",
  },
  es: {
    goal: "Objetivo",
    accept: "Criterios de aceptación",
    bounds: "Límites",
    unknowns: "Incógnitas y supuestos",
    title: "Encargo",
    note: "Fijado. Para cambiar lo que se pide, edite este archivo; bórrelo para que se le pregunte de nuevo.",
    empty: "sin rellenar",
  },
  de: {
    goal: "Ziel",
    accept: "Abnahmekriterien",
    bounds: "Grenzen",
    unknowns: "Unbekanntes und Annahmen",
    title: "Auftrag",
    note: "Festgeschrieben. Wer etwas anderes will, ändert diese Datei; wer sie löscht, wird neu gefragt.",
    empty: "nicht ausgefüllt",
  },
};

/** Every name that opens a section, in lower case. */
const NAMES: Record<SectionKey, string[]> = {
  goal: [
    ...["目标", "目標"],
    ...["goal", "goals", "objective", "objectives"],
    ...["objectif", "objectifs", "objetivo", "objetivos", "ziel", "ziele"],
  ],
  accept: [
    ...["验收标准", "验收条件", "验收", "驗收標準", "驗收條件", "驗收"],
    ...["acceptance criteria", "acceptance criterion", "acceptance", "definition of done", "done when"],
    ...[
      "critères d'acceptation",
      "critères d’acceptation",
      "criteres d'acceptation",
      "criteres d’acceptation",
    ],
    ...["criterios de aceptación", "criterios de aceptacion", "abnahmekriterien"],
  ],
  bounds: [
    ...["边界", "范围边界", "不做什么", "邊界", "範圍邊界", "不做什麼"],
    ...["boundaries", "boundary", "out of scope", "non-goals", "non goals"],
    ...["limites", "hors périmètre", "hors perimetre", "límites", "fuera de alcance", "grenzen"],
  ],
  unknowns: [
    ...["未知与假设", "未知项与假设", "未知项", "已知未知", "未知", "假设"],
    ...["未知與假設", "未知項與假設", "未知項", "假設"],
    ...["unknowns and assumptions", "unknowns & assumptions", "unknowns", "assumptions", "open questions"],
    ...["inconnues et hypothèses", "inconnues et hypotheses", "inconnues", "hypothèses", "hypotheses"],
    ...["incógnitas y supuestos", "incognitas y supuestos", "incógnitas", "incognitas", "supuestos"],
    ...["unbekanntes und annahmen", "annahmen"],
  ],
};

/** The names with their sections, the longest first; letters with accents in both of their forms. */
export const LABELS: { name: string; section: SectionKey }[] = SECTIONS.flatMap((section) =>
  NAMES[section].flatMap((name) =>
    [...new Set([name, name.normalize("NFD")])].map((form) => ({ name: form, section })),
  ),
).toSorted((a, b) => b.name.length - a.name.length);

/** The names by which a brief's sections are recognised, in all languages at once. Tables only. */
import { type BriefLanguage, LANGUAGES, SECTIONS, type SectionKey } from "./brief-labels.ts";

/** Every name that opens a section, in lower case. */
const NAMES: Record<BriefLanguage, Record<SectionKey, string[]>> = {
  zh: {
    goal: ["目标", "目標"],
    accept: ["验收标准", "验收条件", "验收", "驗收標準", "驗收條件", "驗收"],
    bounds: ["边界", "范围边界", "不做什么", "邊界", "範圍邊界", "不做什麼"],
    unknowns: [
      ...["未知与假设", "未知项与假设", "未知项", "已知未知", "未知", "假设"],
      ...["未知與假設", "未知項與假設", "未知項", "假設"],
    ],
  },
  en: {
    goal: ["goal", "goals", "objective", "objectives"],
    accept: ["acceptance criteria", "acceptance criterion", "acceptance", "definition of done", "done when"],
    bounds: ["boundaries", "boundary", "out of scope", "non-goals", "non goals"],
    unknowns: [
      ...["unknowns and assumptions", "unknowns & assumptions", "unknowns", "assumptions"],
      "open questions",
    ],
  },
  fr: {
    goal: ["objectif", "objectifs"],
    accept: [
      ...["critères d'acceptation", "critères d’acceptation"],
      ...["criteres d'acceptation", "criteres d’acceptation"],
    ],
    bounds: ["limites", "hors périmètre", "hors perimetre"],
    unknowns: [
      ...["inconnues et hypothèses", "inconnues et hypotheses"],
      ...["inconnues", "hypothèses", "hypotheses"],
    ],
  },
  es: {
    goal: ["objetivo", "objetivos"],
    accept: ["criterios de aceptación", "criterios de aceptacion"],
    bounds: ["límites", "fuera de alcance"],
    unknowns: [
      ...["incógnitas y supuestos", "incognitas y supuestos"],
      ...["incógnitas", "incognitas", "supuestos"],
    ],
  },
  de: {
    goal: ["ziel", "ziele"],
    accept: ["abnahmekriterien"],
    bounds: ["grenzen"],
    unknowns: ["unbekanntes und annahmen", "annahmen"],
  },
};

export interface Label {
  name: string;
  section: SectionKey;
  language: BriefLanguage;
}

const labelsOf = (language: BriefLanguage, section: SectionKey): Label[] =>
  NAMES[language][section].flatMap((name) =>
    [...new Set([name, name.normalize("NFD")])].map((form) => ({ name: form, section, language })),
  );

/** The names with their sections, the longest first; letters with accents in both of their forms. */
export const LABELS: Label[] = LANGUAGES.flatMap((language) =>
  SECTIONS.flatMap((section) => labelsOf(language, section)),
).toSorted((a, b) => b.name.length - a.name.length);

/** Leads to the first question of a round that still wants an answer. */
export function goToOpen(round: string): void {
  const open = document.getElementById(round)?.querySelector<HTMLElement>("fieldset[data-open]");
  open?.scrollIntoView({ block: "center" });
  open?.querySelector<HTMLElement>("input, button")?.focus({ preventScroll: true });
}

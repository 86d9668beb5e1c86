/** The page's session, for every component below it. */
import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { PageSession } from "./session.ts";
import type { State } from "./state.ts";

export const PageContext = createContext<PageSession | null>(null);

export function usePage(): PageSession {
  const page = useContext(PageContext);
  if (page === null) throw new Error("outside of a page");
  return page;
}

export function usePageState(page: PageSession): State {
  const [state, setState] = useState(page.store.get());
  useEffect(() => {
    setState(page.store.get());
    return page.store.subscribe(() => setState(page.store.get()));
  }, [page]);
  return state;
}

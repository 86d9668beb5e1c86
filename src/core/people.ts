/** People and where they are: who acts, on which surface, in which place. Plain data, looked up by the surfaces. */
export type SurfaceName = "slack" | "discord" | "web" | "terminal";

/** Where people see a session: a channel or direct message of a platform, or the local page or terminal (`id` ""). */
export interface Place {
  surface: SurfaceName;
  id: string;
  direct: boolean;
  label: string;
}

/** Who did something, looked up by the surface (`local` is set by the bot). `id` is `slack:T1/U7`, `discord:42`, `local:ana`. */
export interface Actor {
  id: string;
  name: string;
  kind: "member" | "guest" | "external" | "bot" | "local";
  inPlace: boolean;
}

/** An actor as it is kept: who, where. */
export interface Who {
  id: string;
  name: string;
  surface: SurfaceName;
}

/** A named person with all accounts that are theirs, counted once. */
export interface Person {
  name: string;
  ids: string[];
}

/** Where a task comes from, as shown on its home message. Empty text: unknown. */
export interface Origin {
  repo: string;
  branch: string;
  agent: string;
  host: string;
}

export interface Attachment {
  name: string;
  type: string;
  url: string;
}

export const placeKey = (place: Pick<Place, "surface" | "id">): string => `${place.surface}:${place.id}`;

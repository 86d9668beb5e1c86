/** What the page itself has to say: that the bot is away, and the bot's private words to whoever pressed here. */
import { usePage } from "./context.ts";
import type { Notice, State } from "./state.ts";

export function Banner({ state }: { state: State }) {
  const { words } = usePage();
  const isAway = state.presence === "away" || state.stuck;
  const text = state.presence === "barred" ? words.barred : isAway ? words.away : "";
  const count = state.waiting.length;
  return (
    <div class="banner" role="status" data-shown={text !== ""}>
      {text === "" ? null : (
        <p>
          {text} {count > 0 ? words.waitingToSend(count) : ""}
        </p>
      )}
    </div>
  );
}

/** The bot usually puts words that it did not store into its text; where it did not, they stand below it. */
export function Notices({ notices }: { notices: Notice[] }) {
  const page = usePage();
  return (
    <div class="notices" role="alert">
      {notices.map((notice) => (
        <div key={notice.id} class="notice">
          <div>
            <p dir="auto">{notice.text}</p>
            {notice.words === null || notice.text.includes(notice.words.trim()) ? null : (
              <blockquote dir="auto">
                <span class="hint">{page.words.yourWords}</span> {notice.words}
              </blockquote>
            )}
          </div>
          <button type="button" class="quiet" onClick={() => page.dismiss(notice.id)}>
            {page.words.close}
          </button>
        </div>
      ))}
    </div>
  );
}

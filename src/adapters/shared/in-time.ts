/** What somebody waits for, or `late` when it has not come after so many milliseconds. */
export async function inTime<T>(work: Promise<T>, ms: number, late: (ms: number) => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late(ms)), ms);
  });
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}

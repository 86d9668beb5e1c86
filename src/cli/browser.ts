/** Opens the machine's own browser, where there is one; a missing opener is no error. */
import type { SpawnOptions } from "node:child_process";

/** Whether somebody could see a browser that this process starts. */
export function hasBrowser(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): boolean {
  if (platform === "darwin" || platform === "win32") return true;
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || isWsl(env));
}

const isWsl = (env: NodeJS.ProcessEnv): boolean => Boolean(env.WSL_DISTRO_NAME || env.WSL_INTEROP);

/** Program and arguments that open `url`. */
export function opener(
  url: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string[] {
  if (platform === "darwin") return ["open", url];
  const start = ["/d", "/c", "start", '""', url.replaceAll("&", "^&")];
  if (platform === "win32") return ["cmd", ...start];
  if (isWsl(env) && !env.DISPLAY && !env.WAYLAND_DISPLAY) return ["cmd.exe", ...start];
  return ["xdg-open", url];
}

export async function openBrowser(url: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { spawn } = await import("node:child_process");
  const [program = "", ...rest] = opener(url, env);
  const options: SpawnOptions = { stdio: "ignore", detached: true, windowsVerbatimArguments: true };
  spawn(program, rest, options)
    .on("error", () => {})
    .unref();
}

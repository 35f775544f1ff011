import type { GitFailed } from "../program.ts"

/** Facts about a failed git command that git's output does not contain. */
export interface Circumstances {
  readonly branch: string
  readonly hasCredentials: boolean
  /** The reason of a failed connection, which git does not report. */
  readonly failure: string | undefined
  /** Texts that must not be reported: secrets, and the paths of this machine. */
  readonly hidden: ReadonlyArray<string>
}

const longest = 300

/** Patterns of git's messages, and the explanation for users; the first matching pattern applies. */
const meanings: ReadonlyArray<readonly [RegExp, (circumstances: Circumstances) => string]> = [
  [/couldn't find remote ref|Remote branch .* not found/i, ({ branch }) => `there is no branch \`${branch}\``],
  [
    /could not read (Username|Password)|Authentication failed|returned error: 40[13]|HTTP 40[13]|Permission denied|access denied/i,
    ({ hasCredentials }) =>
      hasCredentials ? "the repository rejects these credentials" : "the repository requires credentials"
  ],
  [
    /repository .*not found|returned error: 404|does not appear to be a git repo|not a git repository|no such (file|repo|project)/i,
    () => "there is no repository at this address"
  ],
  [/returned error: 30\d|update url base from redirection/i, () => "the address of the repository redirects"],
  [/attempting to allocate \d+ over limit/i, () => "the repository contains an object that needs too much memory"],
  [/certificate/i, () => "the host's certificate isn't trusted"],
  [/dumb http transport does not support/i, () => "the host has no git server with the git protocol"]
]

const scrubbed = (said: string, hidden: ReadonlyArray<string>): string => {
  const lines = hidden
    .filter((text) => text !== "")
    .reduce((text, secret) => text.replaceAll(secret, "…"), said)
    .split("\n")
    .filter((line) => /^(fatal|error|remote|ERROR)\b/.test(line))
  return lines.join(" ").replace(/\s+/g, " ").trim().slice(0, longest)
}

/** Returns why a git command failed, for users: without secrets and without paths of this machine (invariant I15). */
export const explain = ({ exitCode, said }: Pick<GitFailed, "exitCode" | "said">, known: Circumstances): string => {
  if (known.failure !== undefined) return known.failure
  const meaning = meanings.find(([pattern]) => pattern.test(said))?.[1]
  if (meaning !== undefined) return meaning(known)
  const rest = scrubbed(said, known.hidden)
  return rest === "" ? `git exited with ${exitCode ?? "a signal"}` : `git reports: ${rest}`
}

import type { Problems } from "../../../Problems.ts"
import type { HostAccess } from "../../engine/options.ts"

/** What compose files are read for. */
export interface ComposeContext {
  /** The directory of this machine that the files of the repository lie in. */
  readonly directory: string
  readonly allowed: HostAccess
}

// However much is wrong, a person reads no further than this (invariant I25).
const mostProblems = 100
const longestName = 100

/** Returns a name that somebody chose as it stands in a problem: bounded, and in one line. */
export const shown = (name: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that are left out.
  name.slice(0, longestName).replaceAll(/[\u0000-\u001f\u007f\u2028\u2029]/g, "?")

/** Collects what is wrong with compose files, and what is left out. */
export class Findings {
  private readonly said = new Map<string, Array<string>>()
  private readonly noted = new Set<string>()
  private count = 0

  say(path: string, problem: string): void {
    if (this.count >= mostProblems) return
    const here = this.said.get(path) ?? []
    if (here.includes(problem)) return
    this.said.set(path, [...here, problem])
    this.count++
  }

  note(text: string): void {
    if (this.noted.size < mostProblems) this.noted.add(text)
  }

  get isClean(): boolean {
    return this.count === 0
  }

  get problems(): Problems {
    return Object.fromEntries(this.said)
  }

  get notes(): ReadonlyArray<string> {
    return [...this.noted]
  }
}

/** Where in compose files something stands. */
export class Place {
  readonly path: string
  readonly service: string
  readonly context: ComposeContext
  private readonly findings: Findings

  constructor(path: string, service: string, context: ComposeContext, findings: Findings) {
    this.path = path
    this.service = service
    this.context = context
    this.findings = findings
  }

  within(name: string | number): Place {
    return new Place(`${this.path}.${shown(String(name))}`, this.service, this.context, this.findings)
  }

  say(problem: string): void {
    this.findings.say(this.path, problem)
  }

  note(text: string): void {
    this.findings.note(`${this.path}: ${text}`)
  }
}

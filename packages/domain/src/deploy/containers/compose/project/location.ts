import type { Problems } from "../../../../Problems.ts"
import type { HostAccess } from "../../engine/options.ts"
import type { DeclaredFile } from "../ComposeProject.ts"

/** The inputs that all readers of compose fields share, such as the directory of the files. */
export interface ComposeContext {
  /** The local directory with the files of the repository. */
  readonly directory: string
  readonly allowed: HostAccess
  /** Whether the compose file is a text without a repository, so that there are no files to mount or build from. */
  readonly isText?: boolean
  /** The configs and secrets that the compose files declare, by section and name. */
  readonly files?: ReadonlyMap<string, DeclaredFile>
}

// The maximum number of reported problems (invariant I25).
const mostProblems = 100
const longestName = 100

/** Formats a name that a user chose for an error message: shortened, and on one line. */
export const shown = (name: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that are left out.
  name.slice(0, longestName).replaceAll(/[\u0000-\u001f\u007f\u2028\u2029]/g, "?")

/** Collects the errors in compose files, and notes about ignored options. */
export class ComposeProblems {
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

/** The path of a field in compose files, such as `services.web.image`; errors are reported with this path. */
export class ComposeLocation {
  readonly path: string
  readonly service: string
  readonly context: ComposeContext
  private readonly problems: ComposeProblems

  constructor(path: string, service: string, context: ComposeContext, problems: ComposeProblems) {
    this.path = path
    this.service = service
    this.context = context
    this.problems = problems
  }

  within(name: string | number): ComposeLocation {
    return new ComposeLocation(`${this.path}.${shown(String(name))}`, this.service, this.context, this.problems)
  }

  say(problem: string): void {
    this.problems.say(this.path, problem)
  }

  note(text: string): void {
    this.problems.note(`${this.path}: ${text}`)
  }
}

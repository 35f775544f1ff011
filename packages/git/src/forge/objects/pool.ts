import { GitOverloaded } from "@slipway/domain/forge/code"
import { Effect, type Scope } from "effect"
import { type Answer, CatFile, type Question } from "./catFile.ts"

/** Maximum number of `git cat-file` programs, in total (`all`) and for one repository (`each`). */
export interface PoolLimits {
  readonly all: number
  readonly each: number
  /** How long an idle program is kept, in milliseconds. */
  readonly idle: number
}

interface PooledProgram {
  readonly key: string
  readonly program: CatFile
  usedAt: number
}

/** With this number of pending requests, a program counts as busy, and another one is started for the repository. */
const busy = 32
/** The timeout in milliseconds of a request that waits because all programs are busy with other repositories. */
const longestWait = 10_000

/** A pool of long-running `git cat-file` programs, with a few programs for each repository in use. */
export class Pool {
  readonly #limits: PoolLimits
  /** The programs; the least recently used one is first. */
  readonly #programs: Array<PooledProgram> = []
  readonly #waiting: Array<() => void> = []

  constructor(limits: PoolLimits) {
    this.#limits = limits
  }

  /** Number of programs. */
  get size(): number {
    return this.#programs.length
  }

  /** Requests objects of the repository in a folder; the key identifies the repository. */
  async ask(
    folder: string,
    key: string,
    questions: ReadonlyArray<Question>
  ): Promise<ReadonlyArray<Answer | undefined>> {
    if (questions.length === 0) return []
    const pooled = this.#of(folder, key) ?? (await this.#wait(folder, key))
    pooled.usedAt = performance.now()
    try {
      return await pooled.program.ask(questions)
    } finally {
      if (pooled.program.open === 0) this.#waiting.shift()?.()
    }
  }

  /** Stops the programs that have been idle for longer than `PoolLimits.idle`. */
  endIdle(): Effect.Effect<void> {
    const before = performance.now() - this.#limits.idle
    const idle = this.#programs.filter(({ program, usedAt }) => program.open === 0 && usedAt <= before)
    return Effect.forEach(idle, (each) => this.#end(each), { discard: true })
  }

  /** Ends all programs. */
  close(): Effect.Effect<void> {
    return Effect.forEach([...this.#programs], (each) => this.#end(each), { discard: true, concurrency: "unbounded" })
  }

  #end(pooled: PooledProgram): Effect.Effect<void> {
    this.#programs.splice(this.#programs.indexOf(pooled), 1)
    return pooled.program.close()
  }

  /** Returns a program for a repository; undefined if all programs are busy with other repositories. */
  #of(folder: string, key: string): PooledProgram | undefined {
    const own = this.#programs.filter((each) => each.key === key)
    const freest = own.reduce<PooledProgram | undefined>(
      (best, each) => (best === undefined || each.program.open < best.program.open ? each : best),
      undefined
    )
    if (freest !== undefined && (freest.program.open < busy || own.length >= this.#limits.each)) return freest
    if (this.#programs.length >= this.#limits.all) {
      if (freest !== undefined) return freest
      const idle = this.#programs
        .filter(({ program }) => program.open === 0)
        .reduce<PooledProgram | undefined>(
          (oldest, each) => (oldest === undefined || each.usedAt < oldest.usedAt ? each : oldest),
          undefined
        )
      if (idle === undefined) return undefined
      Effect.runFork(this.#end(idle))
    }
    const pooled = { key, program: new CatFile(folder), usedAt: performance.now() }
    this.#programs.push(pooled)
    return pooled
  }

  async #wait(folder: string, key: string): Promise<PooledProgram> {
    const until = performance.now() + longestWait
    for (;;) {
      const left = until - performance.now()
      if (left <= 0) throw new GitOverloaded({ of: "programs" })
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        this.#waiting.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
      const found = this.#of(folder, key)
      if (found !== undefined) return found
    }
  }
}

/** Makes a pool that closes with the scope. */
export const makePool = (limits: PoolLimits): Effect.Effect<Pool, never, Scope.Scope> =>
  Effect.gen(function* () {
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => new Pool(limits)),
      (instance) => instance.close()
    )
    yield* Effect.forkScoped(
      Effect.forever(
        Effect.delay(
          Effect.suspend(() => pool.endIdle()),
          limits.idle
        )
      )
    )
    return pool
  })

import { GitOverloaded, type ObjectId, type ObjectKind } from "@slipway/domain/forge/code"
import { end } from "@slipway/subprocess"
import { Duration, Effect } from "effect"
import { startGit } from "./programs.ts"

/** A request for an object: a name that git resolves, and the maximum size in bytes of content to return. */
export interface Question {
  readonly name: string
  readonly most?: number | undefined
}

/** The requested object; `content` is undefined if it is larger than the maximum size. */
export interface Answer {
  readonly id: ObjectId
  readonly kind: ObjectKind
  readonly size: number
  readonly content: Uint8Array | undefined
}

interface Pending extends Question {
  readonly resolve: (answer: Answer | undefined) => void
  readonly reject: (error: unknown) => void
  tries: number
}

/**
 * Maximum size in bytes of unwanted content that is read and discarded; for more, git is restarted, which is faster.
 */
const mostDrained = 4 * 1024 * 1024
/** The timeout of one request, in milliseconds. */
const longest = 30_000
/** Maximum number of attempts for a request if its program is killed. */
const mostTries = 2

const newline = 0x0a

/**
 * Reads objects of one repository with a long-running `git cat-file`: requests are pipelined, answers come in order.
 */
export class CatFile {
  readonly #folder: string
  #child: ReturnType<typeof startGit> | undefined
  #pending: Array<Pending> = []
  #rest: Buffer = Buffer.alloc(0)
  /** The content that is being read, and the number of bytes read so far. */
  #content: { answer: Answer; bytes: Buffer | undefined; at: number; left: number } | undefined
  #watch: NodeJS.Timeout | undefined
  #closed = false

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Number of pending requests. */
  get open(): number {
    return this.#pending.length
  }

  /** Sends all requests without waiting in between; returns the answers in their order. */
  ask(questions: ReadonlyArray<Question>): Promise<ReadonlyArray<Answer | undefined>> {
    if (this.#closed) return Promise.reject(new GitOverloaded({ of: "programs" }))
    const answers = questions.map(
      (question) =>
        new Promise<Answer | undefined>((resolve, reject) => {
          this.#pending.push({ ...question, resolve, reject, tries: 0 })
        })
    )
    this.#send(questions)
    return Promise.all(answers)
  }

  /** Stops the program, and rejects pending requests. */
  close(): Effect.Effect<void> {
    this.#closed = true
    const child = this.#child
    this.#child = undefined
    this.#fail(new GitOverloaded({ of: "programs" }))
    return child === undefined ? Effect.void : end(child, Duration.zero)
  }

  #send(questions: ReadonlyArray<Question>) {
    const child = this.#child ?? this.#start()
    const lines = questions.map(({ most, name }) => `${most === undefined ? "info" : "contents"} ${name}\n`)
    child.stdin.write(lines.join(""))
    this.#watch ??= setTimeout(() => this.#stuck(child), longest)
  }

  #start() {
    const child = startGit({ folder: this.#folder, args: ["cat-file", "--batch-command"] })
    this.#child = child
    this.#rest = Buffer.alloc(0)
    this.#content = undefined
    child.stdin.on("error", () => {})
    child.stderr.resume()
    child.stdout.on("data", (piece: Buffer) => {
      if (this.#child === child) this.#read(piece, child)
    })
    const gone = () => {
      if (this.#child === child) this.#again()
    }
    child.once("error", gone)
    child.once("close", gone)
    return child
  }

  #stuck(child: ReturnType<typeof startGit>) {
    this.#watch = undefined
    this.#child = undefined
    child.kill("SIGKILL")
    this.#fail(new GitOverloaded({ of: "time" }))
  }

  #fail(error: GitOverloaded) {
    clearTimeout(this.#watch)
    this.#watch = undefined
    for (const { reject } of this.#pending.splice(0)) reject(error)
  }

  /** Starts a new program and sends the pending requests to it. */
  #again() {
    this.#child = undefined
    const [first] = this.#pending
    if (first === undefined) return
    first.tries += 1
    if (first.tries > mostTries) return this.#fail(new GitOverloaded({ of: "programs" }))
    this.#send(this.#pending)
  }

  #read(piece: Buffer, child: ReturnType<typeof startGit>) {
    this.#watch?.refresh()
    let bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    this.#rest = Buffer.alloc(0)
    while (bytes.length > 0 && this.#child === child) {
      if (this.#content !== undefined) {
        bytes = this.#take(bytes)
        continue
      }
      const ends = bytes.indexOf(newline)
      if (ends < 0) {
        this.#rest = bytes
        return
      }
      this.#header(bytes.toString("latin1", 0, ends), child)
      bytes = bytes.subarray(ends + 1)
    }
  }

  /** Consumes the bytes of the current content and its newline; returns the remaining bytes. */
  #take(bytes: Buffer): Buffer {
    const content = this.#content
    if (content === undefined) return bytes
    const taken = Math.min(bytes.length, content.left)
    // The last byte is the newline.
    content.bytes?.set(bytes.subarray(0, Math.min(taken, content.left - 1)), content.at)
    content.at += taken
    content.left -= taken
    if (content.left === 0) {
      this.#content = undefined
      this.#done({ ...content.answer, content: content.bytes })
    }
    return bytes.subarray(taken)
  }

  #header(line: string, child: ReturnType<typeof startGit>) {
    const [first] = this.#pending
    const [id = "", kind = "", digits = "", ...more] = line.split(" ")
    // Any other line means that there is no such object, or an ambiguous abbreviation.
    if (first === undefined || more.length > 0 || !/^\d+$/.test(digits)) return this.#done(undefined)
    const size = Number(digits)
    const answer: Answer = { id: id as ObjectId, kind: kind as ObjectKind, size, content: undefined }
    if (first.most === undefined) return this.#done(answer)
    const wanted = size <= first.most
    if (!wanted && size > mostDrained) {
      this.#child = undefined
      child.kill("SIGKILL")
      this.#done(answer)
      if (this.#pending.length > 0) this.#send(this.#pending)
      return
    }
    // A separate buffer, so that keeping the content keeps no pooled memory.
    this.#content = { answer, bytes: wanted ? Buffer.allocUnsafeSlow(size) : undefined, at: 0, left: size + 1 }
  }

  #done(answer: Answer | undefined) {
    this.#pending.shift()?.resolve(answer)
    if (this.#pending.length > 0) return
    clearTimeout(this.#watch)
    this.#watch = undefined
  }
}

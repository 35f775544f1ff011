import type { Duplex } from "node:stream"
import {
  isProposal,
  isRefName,
  type ProposalAnswer,
  type ProposedPush,
  type PushVerdict,
  type RefChange
} from "@slipway/domain/forge/code"
import { Cause, Effect } from "effect"
import { removeStaleLocks } from "../locks.ts"
import type { PushHooks } from "./hooks.ts"
import { linesOf } from "./lines.ts"
import { pushedObjects } from "./pushedObjects.ts"

const longestLine = 8_192
const mostOptions = 64
/** Maximum number of refs that one push may change. */
const mostChanges = 10_000

const changeLine = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) (refs\/.+)$/
const isZero = (name: string): boolean => /^0+$/.test(name)
const named = (name: string): string | undefined => (isZero(name) ? undefined : name)

/**
 * Returns a message for the git client as one line; the prefix `+` distinguishes it from the answers `yes` and `no`.
 */
const messageLine = (text: string): string => `+${text.replaceAll(/\p{Cc}/gu, " ")}\n`

type Decide = (push: ProposedPush) => Effect.Effect<PushVerdict>
type Propose = (change: RefChange) => Effect.Effect<ProposalAnswer>

const longestReason = 300

/** Returns a pkt-line of git's protocol. */
const packet = (text: string): string => `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, "0")}${text}`

/** Returns the report of git's `proc-receive` protocol for one ref, as pkt-lines. */
const reportOf = ({ ref }: RefChange, answer: ProposalAnswer): string => {
  if (answer._tag === "Refused") {
    const reason = answer.reason.replaceAll(/\p{Cc}/gu, " ").slice(0, longestReason)
    return packet(`ng ${ref} ${reason.toWellFormed()}`)
  }
  const { after, before, forced, ref: storedRef } = answer
  return [
    `ok ${ref}`,
    `option refname ${storedRef}`,
    ...(before === undefined ? [] : [`option old-oid ${before}`]),
    `option new-oid ${after}`,
    ...(forced ? ["option forced-update"] : [])
  ]
    .map(packet)
    .join("")
}

const writeLine = (socket: Duplex, text: string) =>
  Effect.callback<void>((resume) => {
    socket.write(text, () => resume(Effect.void))
  })

const proposal = Effect.fnUntraced(function* (next: Effect.Effect<string | undefined>) {
  const quarantine = yield* next
  if (quarantine === undefined) return undefined
  const changes: Array<RefChange> = []
  for (let line = yield* next; line !== ""; line = yield* next) {
    const parts = line === undefined ? null : changeLine.exec(line)
    // A malformed line decides nothing.
    if (parts === null || changes.length >= mostChanges) return undefined
    const [, before = "", after = "", ref = ""] = parts
    // Git checks names only later, when the objects have left the quarantine.
    if (!isRefName(ref)) return undefined
    changes.push({ ref, before: named(before), after: named(after) })
  }
  const options: Array<string> = []
  for (let line = yield* next; line !== "" && line !== undefined; line = yield* next) {
    if (options.length < mostOptions) options.push(line)
  }
  return { quarantine, changes, options }
})

const report = Effect.fnUntraced(function* (
  socket: Duplex,
  proposals: ReadonlyArray<RefChange>,
  isRefused: (change: RefChange) => boolean,
  propose: Propose
) {
  const reports: Array<string> = []
  for (const change of proposals) {
    const answer: ProposalAnswer = isRefused(change)
      ? { _tag: "Refused", reason: "declined" }
      : yield* propose(change).pipe(
          Effect.catchCause((cause) =>
            Cause.hasInterruptsOnly(cause)
              ? Effect.failCause(cause)
              : Effect.as(Effect.logError("a pull request could not be opened by a push", cause), {
                  _tag: "Refused" as const,
                  reason: "the service could not open the pull request"
                })
          )
        )
    if (answer._tag === "Kept") yield* writeLine(socket, answer.messages.map(messageLine).join(""))
    reports.push(reportOf(change, answer))
  }
  yield* writeLine(socket, `report ${reports.join("")}0000\n`)
})

/**
 * Handles the requests of git's hooks (pre-receive and others) for one push, until git has exited.
 *
 * Decides before git moves the pushed objects out of its quarantine. The hooks accept only the answer `yes`, so any
 * failure, including a stopped service, rejects the push.
 */
export const answerHooks = Effect.fnUntraced(function* (
  socket: Duplex,
  folder: string,
  hooks: PushHooks,
  decide: Decide,
  propose: Propose = () => Effect.succeed({ _tag: "Refused", reason: "refs below refs/for/ are not accepted here" })
) {
  const lines = linesOf(socket, longestLine)
  const next = Effect.promise(() => lines.next())
  const asked = yield* proposal(next)
  if (asked === undefined)
    return yield* writeLine(
      socket,
      `${messageLine("the push is unreadable, changes too many refs, or has a forbidden ref name")}no\n`
    )
  const objects = pushedObjects(folder, asked.quarantine)
  const verdict = yield* decide({ changes: asked.changes, options: asked.options, objects }).pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.as(Effect.logError("a push could not be authorized", cause), {
            refused: new Set(asked.changes.map(({ ref }) => ref)),
            messages: ["the service could not authorize the push; nothing changed"]
          } satisfies PushVerdict)
    )
  )
  const isRefused = ({ ref }: RefChange) => verdict.refused.has(ref)
  const messages = verdict.messages.map(messageLine).join("")
  if (asked.changes.every(isRefused)) return yield* writeLine(socket, `${messages}no\n`)
  if (asked.changes.some(isRefused)) yield* hooks.askForEach
  yield* removeStaleLocks(
    folder,
    asked.changes.map(({ ref }) => ref)
  )
  yield* writeLine(socket, `${messages}yes\n`)
  const proposals = asked.changes.filter(({ ref }) => isProposal(ref))
  for (let line = yield* next; line !== undefined; line = yield* next) {
    if (line !== "proposals") yield* writeLine(socket, verdict.refused.has(line) ? "no\n" : "yes\n")
    else yield* report(socket, proposals, isRefused, propose)
  }
})

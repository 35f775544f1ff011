import type { FormState } from "../page/FormState.ts"

/** The largest form without files, in bytes. */
export const largestForm = 1024 * 1024

/** Thrown for a form above the maximum size. */
export class FormTooLarge extends Error {}

/** Reads a form, up to the maximum size. */
export const readForm = async (request: Request): Promise<URLSearchParams> => {
  const pieces: Array<Uint8Array> = []
  let size = 0
  for await (const piece of request.body ?? []) {
    size += piece.length
    if (size > largestForm) throw new FormTooLarge()
    pieces.push(piece)
  }
  return new URLSearchParams(Buffer.concat(pieces).toString("utf8"))
}

/** Returns the state of an empty form. */
export const emptyForm = (): FormState => ({
  values: new URLSearchParams(),
  problems: {},
  once: crypto.randomUUID()
})

const remembered = 2_000
const rememberedFor = 10 * 60_000

/**
 * Makes the repeated sending of a form idempotent: the second answer repeats the first.
 *
 * Forms are remembered in this process for ten minutes. Only accepted ones: a rejected form may be sent again.
 */
export const onceOnly = () => {
  const answers = new Map<string, { readonly at: number; readonly answer: Promise<Response> }>()
  return async (key: string, now: number, answer: () => Promise<Response>): Promise<Response> => {
    for (const [old, { at }] of answers) {
      if (answers.size <= remembered && now - at <= rememberedFor) break
      answers.delete(old)
    }
    const known = answers.get(key)
    if (known !== undefined) return (await known.answer).clone()
    const made = answer()
    answers.set(key, { at: now, answer: made })
    const isAccepted = await made.then(
      ({ status }) => status < 400,
      () => false
    )
    if (!isAccepted) answers.delete(key)
    return (await made).clone()
  }
}

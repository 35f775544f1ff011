import type { FormState } from "../page/FormState.ts"

/** The maximum size of a form without files, in bytes. */
export const largestForm = 1024 * 1024

/** The maximum size of a form with files, in bytes. */
export const largestUpload = 32 * 1024 * 1024

/** Thrown for a form with an encoding that the forms of pages do not use. */
export class FormUnreadable extends Error {}

/** Thrown for a form above the maximum size. */
export class FormTooLarge extends Error {}

const bytesOf = async (request: Request, largest: number): Promise<Buffer<ArrayBuffer>> => {
  const pieces: Array<Uint8Array> = []
  let size = 0
  for await (const piece of request.body ?? []) {
    size += piece.length
    if (size > largest) throw new FormTooLarge()
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/**
 * Reads a submitted form. `largestFiles` is the maximum size in bytes of a form with files; if it is 0, forms with
 * files are rejected.
 */
export const readForm = async (
  request: Request,
  largestFiles = 0
): Promise<Required<Pick<FormState, "files" | "values">>> => {
  const type = request.headers.get("content-type") ?? ""
  const files = new Map<string, ReadonlyArray<File>>()
  if (!type.toLowerCase().startsWith("multipart/form-data"))
    return { values: new URLSearchParams((await bytesOf(request, largestForm)).toString("utf8")), files }
  if (largestFiles === 0) throw new FormUnreadable()
  const bytes = await bytesOf(request, largestFiles)
  const form = await new Response(bytes, { headers: { "content-type": type } }).formData().catch(() => {
    throw new FormUnreadable()
  })
  const values = new URLSearchParams()
  for (const [name, value] of form) {
    if (typeof value === "string") values.append(name, value)
    // A browser sends an empty file for a field without one.
    else if (value.name !== "") files.set(name, [...(files.get(name) ?? []), value])
  }
  return { values, files }
}

/** Returns the state of an empty form. */
export const emptyForm = (): FormState => ({
  values: new URLSearchParams(),
  problems: {},
  idempotencyKey: crypto.randomUUID()
})

const remembered = 2_000
const rememberedFor = 10 * 60_000

/**
 * Makes form submissions idempotent: a repeated submission gets the response of the first one.
 *
 * Responses are cached in this process for ten minutes. The response to a rejected form is not cached, so that the user
 * can correct and resend the form.
 */
export const idempotentSubmission = () => {
  const answers = new Map<string, { readonly at: number; readonly answer: Promise<Response> }>()
  return async (key: string, now: number, answer: () => Promise<Response>): Promise<Response> => {
    for (const [old, { at }] of answers) {
      if (answers.size <= remembered && now - at <= rememberedFor) break
      answers.delete(old)
    }
    const known = answers.get(key)
    if (known !== undefined) return (await known.answer).clone()
    const response = answer()
    answers.set(key, { at: now, answer: response })
    const isAccepted = await response.then(
      ({ status }) => status < 400,
      () => false
    )
    if (!isAccepted) answers.delete(key)
    return (await response).clone()
  }
}

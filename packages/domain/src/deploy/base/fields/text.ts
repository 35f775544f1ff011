import { Schema } from "effect"

/** Returns the schema of a text of at most `longest` UTF-16 code units, without NUL and unpaired surrogates. */
export const text = (longest: number) =>
  Schema.String.check(
    Schema.isMaxLength(longest, { message: `Must be at most ${longest} characters long.` }),
    Schema.makeFilter((value: string) => (value.includes("\0") ? "Must not contain a NUL character." : undefined)),
    Schema.makeFilter((value: string) => (value.isWellFormed() ? undefined : "Must be well-formed Unicode."))
  )

/** Returns the schema of a text of at most `longest` UTF-16 code units without line breaks and control characters. */
export const line = (longest: number) =>
  text(longest).check(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
    Schema.makeFilter((value: string) => (/[\u0001-\u001f\u007f]/.test(value) ? "Must be one line." : undefined))
  )

/** Returns the schema of a line that is empty or accepted by `accepts`; other values fail with `message`. */
export const lineThat = (accepts: (value: string) => boolean, message: string, longest = 2048) =>
  line(longest).check(Schema.makeFilter((value: string) => (value === "" || accepts(value) ? undefined : message)))

/** Returns the schema of a whole number from `minimum` to `maximum`. */
export const whole = (minimum: number, maximum: number) => {
  const message = `Must be a whole number from ${minimum} to ${maximum}.`
  return Schema.Number.check(Schema.isInt({ message }), Schema.isBetween({ minimum, maximum }, { message }))
}

/** Returns a schema that also rejects empty and blank texts. */
export const nonEmpty = <S extends Schema.Codec<string, string>>(schema: S) =>
  schema.check(Schema.makeFilter((value: string) => (value.trim() === "" ? "Must not be empty." : undefined)))

/** The error messages of a form by field name. The key `""` is for messages about the whole form. */
export type Problems = Readonly<Record<string, string>>

/** The state of a form: its typed values and its error messages. */
export interface FormState {
  readonly values: URLSearchParams
  /** The uploaded files, by field name. They are not shown again after an error. */
  readonly files?: ReadonlyMap<string, ReadonlyArray<File>>
  readonly problems: Problems
  /** The idempotency key of the form. */
  readonly idempotencyKey: string
  /** The key of the form, on a page with several forms. */
  readonly scope?: string
  /** The result of a submission that the page shows once, such as a new token or a preview. */
  readonly outcome?: unknown
}

/** Returns the typed value of a field; an empty text if there is none. */
export const typed = ({ values }: FormState, name: string): string => values.get(name) ?? ""

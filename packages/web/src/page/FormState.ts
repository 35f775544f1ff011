/** Messages by the name of the field; `""` is the whole form. */
export type Problems = Readonly<Record<string, string>>

/** The values of a form and their errors. */
export interface FormState {
  readonly values: URLSearchParams
  /** The files of a form with uploads, by field; they are not shown again. */
  readonly files?: ReadonlyMap<string, ReadonlyArray<File>>
  readonly problems: Problems
  /** The idempotency key of the form. */
  readonly idempotencyKey: string
  /** The key of the form on a page with several. */
  readonly scope?: string
  /** The result of a submission that the page shows once, such as a new token or a preview. */
  readonly outcome?: unknown
}

/** Returns the typed value of a field. */
export const typed = ({ values }: FormState, name: string): string => values.get(name) ?? ""

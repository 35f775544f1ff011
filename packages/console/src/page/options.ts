/** A choice of a select field. */
interface Option {
  readonly value: string
  readonly label: string
}

/**
 * Returns the choices of a select field, with the stored value if it is missing. The choices are only the first page of
 * a list; without the stored value, saving the form would change it to the first choice.
 */
export const optionsWith = (stored: string, options: ReadonlyArray<Option>): ReadonlyArray<Option> =>
  stored === "" || options.some(({ value }) => value === stored)
    ? options
    : [...options, { value: stored, label: stored }]

import type { Setting } from "@slipway/domain"

/**
 * Returns sample values for the settings of test row number `n`: a different text for each text setting, and the
 * default value of every other setting.
 */
export const sampleSettings = <S extends Setting.Rows>(settings: S, n: number): Setting.Values<S> =>
  // BOUNDARY: each value has the type of its setting.
  Object.fromEntries(
    Object.entries(settings).map(([name, { field, initial }]) => [
      name,
      field.type === "text" && field.oneOf === undefined ? `${name} ${n}` : initial
    ])
  ) as Setting.Values<S>

/** Returns a value for each setting that differs from the default and from the values of `sampleSettings`. */
export const changedSettings = <S extends Setting.Rows>(settings: S): Setting.Values<S> =>
  // BOUNDARY: each value has the type of its setting.
  Object.fromEntries(
    Object.entries(settings).map(([name, { field, initial }]) => [
      name,
      field.oneOf?.find((value) => value !== initial) ?? (field.type === "boolean" ? !initial : `another ${name}`)
    ])
  ) as Setting.Values<S>

import type { Setting } from "@slipway/domain"

/** Returns a different text for each text setting of the `n`th row, and the default of every other setting. */
export const sampleSettings = <S extends Setting.Rows>(settings: S, n: number): Setting.Values<S> =>
  // BOUNDARY: each value has the type of its setting.
  Object.fromEntries(
    Object.entries(settings).map(([name, { field, initial }]) => [
      name,
      field.type === "text" && field.oneOf === undefined ? `${name} ${n}` : initial
    ])
  ) as Setting.Values<S>

/** Returns a value for each setting that differs from its default and from its sample values. */
export const changedSettings = <S extends Setting.Rows>(settings: S): Setting.Values<S> =>
  // BOUNDARY: each value has the type of its setting.
  Object.fromEntries(
    Object.entries(settings).map(([name, { field, initial }]) => [
      name,
      field.oneOf?.find((value) => value !== initial) ?? (field.type === "boolean" ? !initial : `another ${name}`)
    ])
  ) as Setting.Values<S>

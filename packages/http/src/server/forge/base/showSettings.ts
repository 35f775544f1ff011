import { Setting } from "@slipway/domain"

/** The settings of a row, under their names in API responses. */
export type ShownSettings<S extends Setting.Rows> = {
  readonly [Name in keyof S as Setting.WireName<Name, S[Name]>]: Setting.Values<S>[Name]
}

/** Maps the name of each setting in requests to its name in the domain. */
export type SettingNames<S extends Setting.Rows> = {
  readonly [Name in keyof S as Setting.WireName<Name, S[Name]>]: Name
}

/** Returns the map from the name of each setting in requests to its name in the domain. */
export const settingNames = <S extends Setting.Rows>(settings: S) =>
  // BOUNDARY: the names are those of the rows.
  Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => [Setting.wireName(name, setting), name])
  ) as SettingNames<S>

/** Returns a function that converts the settings of a row to their API response. */
export const showSettingsOf = <S extends Setting.Rows>(settings: S) => {
  const names = Object.entries(settings).map(([name, setting]) => [Setting.wireName(name, setting), name] as const)
  return (row: Setting.Values<S>): ShownSettings<S> =>
    // BOUNDARY: the names and the values are those of the rows.
    Object.fromEntries(names.map(([wire, name]) => [wire, row[name]])) as ShownSettings<S>
}

export * from "./settings/Settings.ts"
export * from "./settings/SettingsStore.ts"

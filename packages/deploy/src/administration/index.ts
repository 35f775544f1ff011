export * as InstanceSettings from "./settings/InstanceSettings.ts"
export * as Teams from "./teams/Teams.ts"

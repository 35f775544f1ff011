import { customRoles } from "@slipway/access"
import { Schema } from "effect"

/** The capabilities (permissions) that roles combine, each with a description of what it permits. */
export const capabilitySentences = {
  view: "read resources without their secrets",
  operate: "deploy, restart, stop, cancel, roll back and run tasks",
  edit: "create, change and delete resources and variables",
  secrets: "read secrets outside protected environments",
  protection: "deploy to protected environments and read their secrets",
  terminal: "open a terminal in a container, which shows its secrets",
  infrastructure: "manage servers, keys and git hosts",
  members: "manage members, roles, grants and invitations",
  ownership: "manage the team, its owners and its tokens"
} as const

/** One capability of a role. */
export type Capability = keyof typeof capabilitySentences

/** The names of all capabilities, in the order of `capabilitySentences`. */
export const capabilities = Object.keys(capabilitySentences) as ReadonlyArray<Capability> as readonly [
  Capability,
  ...ReadonlyArray<Capability>
]

/** The schema of a capability. */
export const CapabilityName = Schema.Literals(capabilities)

/** The facts for access rules: one flag for each capability. */
export const capabilityFacts = customRoles<Capability>(capabilitySentences)

/** The built-in roles, which every team has, each with its capabilities, from the fewest capabilities to all. */
export const builtInRoles = {
  viewer: ["view"],
  deployer: ["view", "operate"],
  developer: ["view", "operate", "edit", "secrets"],
  admin: ["view", "operate", "edit", "secrets", "protection", "terminal", "infrastructure", "members"],
  owner: ["view", "operate", "edit", "secrets", "protection", "terminal", "infrastructure", "members", "ownership"]
} as const satisfies Record<string, ReadonlyArray<Capability>>

/** The name of a built-in role. */
export type BuiltInRole = keyof typeof builtInRoles

/** Returns whether a name is that of a built-in role. */
export const isBuiltInRole = (name: string): name is BuiltInRole => Object.hasOwn(builtInRoles, name)

/** Returns the least powerful built-in role that has a capability. */
export const leastRoleWith = (capability: Capability): BuiltInRole =>
  (Object.keys(builtInRoles) as ReadonlyArray<BuiltInRole>).find((name) =>
    (builtInRoles[name] as ReadonlyArray<Capability>).includes(capability)
  ) ?? "owner"

/** The maximum number of actions that one access check request may contain. */
export const mostChecks = 200

import { customRoles } from "@slipway/access"
import { Schema } from "effect"

/** The capabilities that roles combine, each with what it permits. */
export const capabilitySentences = {
  view: "read resources without their secrets",
  operate: "deploy, restart, stop, cancel, roll back and run tasks",
  edit: "create, change and delete resources and variables",
  secrets: "read secrets outside protected environments",
  protection: "deploy to protected environments and read their secrets",
  infrastructure: "manage servers, keys and git hosts",
  members: "manage members, roles, grants and invitations",
  ownership: "manage the team, its owners and its tokens"
} as const

/** One capability of a role. */
export type Capability = keyof typeof capabilitySentences

/** The names of all capabilities, in the order of the table. */
export const capabilities = Object.keys(capabilitySentences) as ReadonlyArray<Capability> as readonly [
  Capability,
  ...ReadonlyArray<Capability>
]

/** The schema of a capability. */
export const CapabilityName = Schema.Literals(capabilities)

/** The facts that capabilities become. */
export const capabilityFacts = customRoles<Capability>(capabilitySentences)

/** The roles of every team, each with its capabilities, from the fewest to all. */
export const builtInRoles = {
  viewer: ["view"],
  deployer: ["view", "operate"],
  developer: ["view", "operate", "edit", "secrets"],
  admin: ["view", "operate", "edit", "secrets", "protection", "infrastructure", "members"],
  owner: ["view", "operate", "edit", "secrets", "protection", "infrastructure", "members", "ownership"]
} as const satisfies Record<string, ReadonlyArray<Capability>>

/** The name of a role of every team. */
export type BuiltInRole = keyof typeof builtInRoles

/** Returns whether a name is that of a role of every team. */
export const isBuiltInRole = (name: string): name is BuiltInRole => Object.hasOwn(builtInRoles, name)

/** Returns the first role of the table with a capability. */
export const leastRoleWith = (capability: Capability): BuiltInRole =>
  (Object.keys(builtInRoles) as ReadonlyArray<BuiltInRole>).find((name) =>
    (builtInRoles[name] as ReadonlyArray<Capability>).includes(capability)
  ) ?? "owner"

/** The maximum number of actions that one request checks. */
export const mostChecks = 200

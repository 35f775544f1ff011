import { applicationsKinds } from "./applications.ts"
import { databasesKinds } from "./databases.ts"
import { identityKinds } from "./identity.ts"
import { infrastructureKinds } from "./infrastructure.ts"
import type { PathKinds } from "./PathKinds.ts"
import { projectsKinds } from "./projects.ts"
import { servicesKinds } from "./services.ts"

export type { NamedInPath } from "./finders.ts"

/** How each resource type is found by its path parameters, and the error if it is missing. */
export const kinds = {
  ...identityKinds,
  ...infrastructureKinds,
  ...applicationsKinds,
  ...projectsKinds,
  ...servicesKinds,
  ...databasesKinds
} satisfies PathKinds

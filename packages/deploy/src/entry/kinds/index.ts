import { applicationsKinds } from "./applications.ts"
import { databasesKinds } from "./databases.ts"
import { identityKinds } from "./identity.ts"
import { infrastructureKinds } from "./infrastructure.ts"
import type { PathKinds } from "./PathKinds.ts"
import { projectsKinds } from "./projects.ts"
import { servicesKinds } from "./services.ts"

export type { NamedInPath } from "./finders.ts"

/** For each resource type, the function that finds it by its path parameters, and the error for a missing resource. */
export const kinds = {
  ...identityKinds,
  ...infrastructureKinds,
  ...applicationsKinds,
  ...projectsKinds,
  ...servicesKinds,
  ...databasesKinds
} satisfies PathKinds

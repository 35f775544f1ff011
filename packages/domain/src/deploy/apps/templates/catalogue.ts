import { dataTools } from "./dataTools.ts"
import { development } from "./development.ts"
import { libraries } from "./libraries.ts"
import { messaging } from "./messaging.ts"
import { observation } from "./observation.ts"
import { publishing } from "./publishing.ts"
import type { ServiceTemplate } from "./ServiceTemplate.ts"

/** All one-click templates, ordered by name. */
export const serviceTemplates: ReadonlyArray<ServiceTemplate> = [
  ...dataTools,
  ...development,
  ...libraries,
  ...messaging,
  ...observation,
  ...publishing
].toSorted((one, other) => (one.name < other.name ? -1 : 1))

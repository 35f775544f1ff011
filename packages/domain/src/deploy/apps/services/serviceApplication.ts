import type { New } from "../../../Collection.ts"
import { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import type { Application } from "../applications/Application.ts"
import { newConfiguration } from "../applications/defaults.ts"
import type { Service, ServiceUuid } from "./Service.ts"

/** Returns the uuid of the application that runs a service. */
export const serviceApplicationUuid = (uuid: ServiceUuid): ApplicationUuid => ApplicationUuid.make(uuid)

/**
 * Returns the internal application that runs a service. It owns the deployments, variables, storages, tasks and tags of
 * the service. The API never shows it as an application.
 *
 * `digest` identifies the compose text; it is stored where other applications have a commit.
 */
export const serviceApplication = (
  service: Pick<Service, "connectsToNetwork" | "createdAt" | "name" | "placement" | "updatedAt" | "urls" | "uuid">,
  digest: string
): New<Application> => {
  const uuid = serviceApplicationUuid(service.uuid)
  const domains = service.urls.map(({ name, url }) => ({ name, domain: url }))
  return {
    uuid,
    variant: "service",
    placement: service.placement,
    forgeAppUuid: null,
    privateKeyUuid: null,
    configuration: {
      ...newConfiguration("public", uuid, {
        build_pack: "dockercompose",
        name: service.name,
        autogenerate_domain: false,
        docker_compose_domains: domains,
        connect_to_docker_network: service.connectsToNetwork,
        // The containers have their own health checks.
        health_check_enabled: false,
        git_commit_sha: digest
      }),
      git_repository: null,
      git_branch: null
    },
    secrets: {},
    generatedDomain: null,
    isDeclared: false,
    ownerUuid: null,
    createdAt: service.createdAt,
    updatedAt: service.updatedAt
  }
}

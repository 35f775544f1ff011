import type { Sealed } from "@slipway/domain"
import type { Kind } from "@slipway/domain/deploy"
import {
  ApplicationStore,
  DeletionStore,
  DeploymentStore,
  EnvironmentStore,
  ProjectStore,
  ServiceStore,
  TagStore
} from "@slipway/domain/deploy/apps"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import { DatabaseStore } from "@slipway/domain/deploy/databases"
import type { ForgeAppUuid } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import {
  configurationOf,
  moment,
  newApplication,
  newDatabase,
  newDeletion,
  newDeployment,
  newEnvironment,
  newPart,
  newProject,
  newService,
  newTag,
  targetOf,
  uuidOf
} from "../builders.ts"
import { type AnyKind, kindOf } from "../recipe.ts"
import { plantPlace, plantWorld } from "../world.ts"

import { later, nothing } from "./parts.ts"

const aProject = Effect.flatMap(ProjectStore, (store) => store.insert(newProject(1)))
const aPlace = Effect.map(plantPlace(), (each) => each.placement)

/** Functions that make test rows of projects and of the resources in projects. */
export const appsKinds = {
  project: kindOf(ProjectStore, {
    world: nothing,
    full: (n) => newProject(n),
    bare: (n) => newProject(n, { description: "" }),
    change: (row) => later({ ...row, name: "another", description: "another one" }),
    say: (row, text) => ({ ...row, name: text, description: text })
  }),
  environment: kindOf(EnvironmentStore, {
    world: aProject,
    full: (n, project) => newEnvironment(n, project),
    bare: (n, project) => newEnvironment(n, project, { description: "" }),
    change: (row) => later({ ...row, name: "another", description: "another one" }),
    say: (row, text) => ({ ...row, name: text, description: text })
  }),
  application: kindOf(ApplicationStore, {
    world: plantWorld(),
    full: (n, { forgeApp, placement, privateKey }) =>
      newApplication(n, placement, {
        forgeAppUuid: forgeApp.uuid,
        privateKeyUuid: privateKey.uuid,
        configuration: configurationOf({
          name: `application ${n}`,
          git_repository: "git@forge.example:owner/repository.git",
          docker_compose_domains: [{ name: "web", domain: "https://web.example" }],
          domains: "https://app.example,http://app.example:8080/path",
          use_build_server: true,
          redirect: "www",
          health_check_port: "3000",
          limits_cpu_shares: 512,
          custom_labels: "price=$$5"
        }),
        secrets: {
          manual_webhook_secret_forgeA: "sealed a" as Sealed,
          http_basic_auth_password: "sealed password" as Sealed
        },
        generatedDomain: `http://application${n}.apps.example`,
        isDeclared: true
      }),
    bare: (n, { placement }) => newApplication(n, placement),
    change: (row) =>
      later({
        ...row,
        variant: "dockerfile",
        configuration: configurationOf({ name: "another", dockerfile: "FROM scratch\n", redirect: null }),
        secrets: { manual_webhook_secret_forgeB: "sealed b" as Sealed },
        generatedDomain: "http://another.apps.example"
      }),
    say: (row, text) => ({
      ...row,
      configuration: { ...row.configuration, name: text, description: text, custom_labels: text, build_command: text }
    })
  }),
  service: kindOf(ServiceStore, {
    world: aPlace,
    full: (n, placement) =>
      newService(n, placement, {
        urls: [{ name: "web", url: "https://web.example" }],
        template: "wiki",
        templateCompose: "services: {}\n",
        connectsToNetwork: true,
        parts: [newPart(1, { composeImage: "nginx:1" }), newPart(2, { type: "database", isStopped: true })]
      }),
    bare: (n, placement) => newService(n, placement, { description: "" }),
    change: (row) =>
      later({
        ...row,
        name: "another",
        description: "another one",
        dockerComposeRaw: "services: {web: {image: nginx}}\n",
        urls: [
          { name: "b", url: "https://b.example" },
          { name: "a", url: "https://a.example" }
        ],
        template: null,
        templateCompose: null,
        connectsToNetwork: !row.connectsToNetwork,
        parts: [newPart(3, { image: "nginx:2", humanName: "the web", description: "all", isExcludedFromStatus: true })]
      }),
    say: (row, text) => ({
      ...row,
      name: text,
      description: text,
      dockerComposeRaw: text,
      urls: [{ name: text, url: text }],
      parts: [newPart(1, { name: text, composeImage: text, image: text, humanName: text, description: text })]
    })
  }),
  tag: kindOf(TagStore, {
    world: nothing,
    full: (n) => newTag(n),
    bare: (n) => newTag(n),
    change: (row) => later({ ...row, name: "another" }),
    say: (row, text) => ({ ...row, name: text })
  }),
  database: kindOf(DatabaseStore, {
    world: aPlace,
    full: (n, placement) =>
      newDatabase(n, placement, {
        isPublic: true,
        publicPort: 5_432 + n,
        action: "start",
        state: "failed",
        reason: "the container exited with 1",
        runUuid: uuidOf<DeploymentUuid>("deployment", n),
        servingUuid: uuidOf<DeploymentUuid>("deployment", n + 1),
        claimedBy: "a worker",
        leaseUntil: moment(n)
      }),
    bare: (n, placement) => newDatabase(n, placement, { description: "", settings: {}, secrets: {} }),
    change: (row) =>
      later({
        ...row,
        kind: "redis",
        name: "another",
        description: "another one",
        image: "redis:7.4-alpine",
        settings: { postgres_user: null },
        secrets: { redis_password: "sealed again" as Sealed },
        limits: { ...row.limits, limits_memory: "512m", limits_cpuset: "0-1" },
        health: { ...row.health, isEnabled: false, retries: 3 },
        isPublic: !row.isPublic,
        publicPort: 6_379,
        action: "stop",
        state: "queued",
        reason: "waiting for something",
        runUuid: uuidOf<DeploymentUuid>("deployment", 77),
        servingUuid: uuidOf<DeploymentUuid>("deployment", 78),
        claimedBy: "another worker",
        leaseUntil: moment(78)
      }),
    say: (row, text) => ({ ...row, name: text, description: text, reason: text, settings: { text } })
  }),
  deployment: kindOf(DeploymentStore, {
    world: nothing,
    full: (n) =>
      newDeployment(n, targetOf(n), {
        requestedBy: uuidOf("account", n),
        pusher: { id: `${n}`, name: `user ${n}` },
        approvalUntil: moment(n + 9),
        startsParts: [uuidOf("service", n), uuidOf("service", n + 1)],
        imageTag: `pr-${n}`
      }),
    bare: (n) => newDeployment(n, targetOf(n), { commit: "" }),
    change: (row) =>
      later({
        ...row,
        ...targetOf(77),
        applicationName: "another",
        serverName: "another server",
        commit: "0a1b2c3",
        requestedBy: null,
        pusher: null,
        approvalUntil: moment(99),
        startsParts: [uuidOf("service", 99)],
        imageTag: "pr-99",
        status: "cancelled"
      }),
    say: (row, text) => ({ ...row, applicationName: text, serverName: text })
  }),
  deletion: kindOf(DeletionStore, {
    world: nothing,
    full: (n) => newDeletion(n, targetOf(n), { removed: ["b", "a"], left: ["volume"] }),
    bare: (n) => newDeletion(n, targetOf(n)),
    change: (row) =>
      later({
        ...row,
        ...targetOf(77),
        applicationName: "another",
        deleteConfigurations: false,
        deleteVolumes: false,
        dockerCleanup: false,
        deleteConnectedNetworks: false,
        forgeLink: { forgeAppUuid: "f".repeat(24) as ForgeAppUuid, owner: "acme", name: "site" },
        removed: ["one"],
        left: ["two", "three"]
      }),
    say: (row, text) => ({ ...row, applicationName: text, removed: [text], left: [text, text] })
  })
} satisfies Partial<Record<Kind, AnyKind>>

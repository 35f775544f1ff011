import { BuildDetection, Environments, Projects } from "@slipway/deploy/apps"
import { Resources } from "@slipway/deploy/databases"
import { EnvironmentStore, type Project } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { ProjectsApi } from "../../../api/deploy/apps/projects.ts"
import { answerList } from "../../lists.ts"
import { createdIn } from "../../wire/locationHeader.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { showEnvironment, showProject } from "../base/show.ts"
import { showResource } from "./resources.ts"

class Api extends HttpApi.make("deploy").add(ProjectsApi).prefix("/api/v1") {}

const readEnvironment = () =>
  Effect.gen(function* () {
    const proof = yield* granted("environment.read")
    const applications = yield* Resources.inEnvironment(proof)
    return {
      ...showEnvironment(proof.resource.environment, proof.resource.project),
      applications: applications.map(showResource)
    }
  })

const showWhole = (project: Project) =>
  Effect.map(EnvironmentStore, ({ ofProject }) => ofProject(project.uuid)).pipe(
    Effect.flatten,
    Effect.map((environments) => ({
      ...showProject(project),
      environments: environments.map((each) => showEnvironment(each, project))
    }))
  )

/** Renames the body field `is_protected` to the domain's `isProtected`; keeps the other fields. */
const protectionOf = <Body extends { readonly is_protected?: boolean }>({ is_protected, ...rest }: Body) => ({
  ...rest,
  ...(is_protected === undefined ? {} : { isProtected: is_protected })
})

/** The handlers of projects and their environments. */
export const layerProjects = HttpApiBuilder.group(Api, "projects", (handlers) =>
  handlers.handleAll({
    list: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("project.list")
        return yield* answerList(query, {
          page: (request) => Projects.list(proof, request),
          all: Projects.stream(proof),
          show: (projects) => Effect.succeed(projects.map(showProject))
        })
      }),
    create: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("project.create")
          return createdIn("/api/v1/projects", yield* Projects.create(proof, { description: "", ...payload }))
        })
      ),
    get: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("project.read")
          return yield* showWhole(proof.resource.project)
        })
      ),
    update: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("project.update")
          return yield* showWhole(yield* Projects.update(proof, payload))
        })
      ),
    delete: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("project.delete")
          yield* Projects.remove(proof)
          return { message: "Project deleted." }
        })
      ),
    listEnvironments: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("environment.list")
          const environments = yield* Environments.list(proof)
          return environments.map((each) => showEnvironment(each, proof.resource.project))
        })
      ),
    createEnvironment: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("environment.create")
          const environment = yield* Environments.create(proof, {
            description: "",
            isProtected: false,
            ...protectionOf(payload)
          })
          return createdIn(`/api/v1/projects/${environment.projectUuid}/environments`, environment)
        })
      ),
    getEnvironment: readEnvironment,
    getEnvironmentShort: readEnvironment,
    updateEnvironment: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("environment.update")
          return showEnvironment(yield* Environments.update(proof, protectionOf(payload)), proof.resource.project)
        })
      ),
    detectBuild: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("environment.build.detect")
          const { branch, build, hasManifest } = yield* BuildDetection.detect(proof, {
            repository: payload.git_repository,
            branch: payload.git_branch,
            folder: payload.base_directory || "/",
            privateKeyUuid: payload.private_key_uuid,
            forgeAppUuid: payload.forge_app_uuid ?? payload.github_app_uuid
          })
          return {
            git_branch: branch,
            build_pack: build?.build_pack ?? null,
            dockerfile_location: build?.dockerfile_location ?? null,
            docker_compose_location: build?.docker_compose_location ?? null,
            ports_exposes: build?.ports_exposes ?? null,
            has_manifest: hasManifest
          }
        })
      ),
    deleteEnvironment: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("environment.delete")
          yield* Environments.remove(proof)
          return { message: "Environment deleted." }
        })
      )
  })
)

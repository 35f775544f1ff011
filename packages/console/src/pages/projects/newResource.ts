import type { ForgeApp, Server, ServiceTemplate } from "@slipway/client/deploy"
import {
  checkField,
  formSection,
  html,
  otherProblems,
  type Submitted,
  selectField,
  textField,
  typed
} from "@slipway/web/foundation"
import { applicationPath, databasePath, environmentPath, projectPath, servicePath } from "../../layout/links.ts"
import { type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { rejectedChange } from "../applications/settings.ts"

const placeIn = ({ form, params }: ConsoleVisit) => ({
  project_uuid: params.project ?? "",
  environment_name: params.environment ?? "",
  server_uuid: typed(form, "server_uuid")
})

/** The types of databases, each with the API operation that creates it. */
const kinds = [
  ["postgresql", "PostgreSQL"],
  ["mysql", "MySQL"],
  ["mariadb", "MariaDB"],
  ["redis", "Redis"],
  ["mongodb", "MongoDB"],
  ["keydb", "KeyDB"],
  ["dragonfly", "Dragonfly"],
  ["clickhouse", "ClickHouse"]
] as const

const buildPacks = [
  ["dockerfile", "Dockerfile"],
  ["dockercompose", "Docker Compose"],
  ["static", "Static files"],
  ["nixpacks", "Nixpacks"],
  ["railpack", "Railpack"]
] as const

const options = (pairs: ReadonlyArray<readonly [string, string]>) => pairs.map(([value, label]) => ({ value, label }))

const createDatabase = ({ deploy: { databases } }: ConsoleVisit, kind: string) => {
  switch (kind) {
    case "mysql":
      return databases.createMysql
    case "mariadb":
      return databases.createMariadb
    case "redis":
      return databases.createRedis
    case "mongodb":
      return databases.createMongodb
    case "keydb":
      return databases.createKeydb
    case "dragonfly":
      return databases.createDragonfly
    case "clickhouse":
      return databases.createClickhouse
    default:
      return databases.createPostgresql
  }
}

// BOUNDARY: the options of the field are build packs; the API rejects any other value.
const buildPackIn = ({ form }: ConsoleVisit) => typed(form, "build_pack") as "dockerfile"

const named = (visit: ConsoleVisit) => {
  const name = typed(visit.form, "name")
  return name === "" ? {} : { name }
}

/** Creates the resource that the submitted form describes, and returns the path of its page. */
const create = async (visit: ConsoleVisit): Promise<string> => {
  const { deploy, form } = visit
  const instant_deploy = typed(form, "instant_deploy") === "on"
  const domains = typed(form, "domains")
  const shared = {
    ...placeIn(visit),
    ...named(visit),
    ...(domains === "" ? {} : { domains }),
    instant_deploy,
    ...(typed(form, "force_domain_override") === "on" ? { force_domain_override: true } : {})
  }
  switch (typed(form, "do")) {
    case "image": {
      const [, image = "", tag] = /^(.*?)(?::([\w][\w.-]*))?$/.exec(typed(form, "image").trim()) ?? []
      const body = {
        ...shared,
        docker_registry_image_name: image,
        ...(tag === undefined ? {} : { docker_registry_image_tag: tag })
      }
      return applicationPath((await deploy.applications.createDockerimage({ body })).uuid)
    }
    case "forge": {
      const body = {
        ...shared,
        forge_app_uuid: typed(form, "forge_app_uuid"),
        git_repository: typed(form, "git_repository"),
        git_branch: typed(form, "git_branch"),
        build_pack: buildPackIn(visit)
      }
      return applicationPath((await deploy.applications.createPrivateForgeApp({ body })).uuid)
    }
    case "database": {
      const { uuid } = await createDatabase(
        visit,
        typed(form, "kind")
      )({
        body: { ...placeIn(visit), ...named(visit), instant_deploy: true }
      })
      return databasePath(uuid)
    }
    case "service": {
      const { uuid } = await deploy.services.create({
        body: { ...placeIn(visit), ...named(visit), type: typed(form, "type"), instant_deploy }
      })
      return servicePath(uuid)
    }
    default: {
      const ports = typed(form, "ports_exposes")
      const body = {
        ...shared,
        git_repository: typed(form, "git_repository"),
        git_branch: typed(form, "git_branch"),
        build_pack: buildPackIn(visit),
        ...(ports === "" ? {} : { ports_exposes: ports })
      }
      return applicationPath((await deploy.applications.createPublic({ body })).uuid)
    }
  }
}

const keys = ["git", "forge", "image", "database", "service"] as const

const fieldNames = [
  "name",
  "server_uuid",
  "git_repository",
  "git_branch",
  "build_pack",
  "ports_exposes",
  "domains",
  "image",
  "forge_app_uuid",
  "kind",
  "type"
]

interface Loaded {
  readonly servers: ReadonlyArray<Server>
  readonly forges: ReadonlyArray<ForgeApp>
  readonly templates: ReadonlyArray<ServiceTemplate>
}

/** `/projects/{uuid}/environments/{name}/new`: creates an application, a database or a one-click service. */
export const newResourcePage = page<Loaded>({
  path: "/projects/:project/environments/:environment/new",
  operations: [
    "projects.getEnvironment",
    "servers.list",
    "forgeApps.list",
    "services.templates",
    "services.create",
    "applications.createPublic",
    "applications.createPrivateForgeApp",
    "applications.createDockerimage",
    ...kinds.map(
      ([kind]) => `databases.create${kind[0]?.toUpperCase()}${kind.slice(1)}` as "databases.createPostgresql"
    )
  ],
  load: async (visit) => {
    const { deploy, params } = visit
    const [, servers, forges, templates] = await Promise.all([
      deploy.projects.getEnvironment({ params: { uuid: params.project ?? "", environment: params.environment ?? "" } }),
      deploy.servers.list({ query: { per_page: 100 } }),
      deploy.forgeApps.list(),
      deploy.services.templates()
    ])
    return { servers, forges, templates }
  },
  view: ({ forges, servers, templates }, visit) => {
    const { applications: t, databases, projects, words } = visit.texts
    const environment = visit.params.environment ?? ""
    const project = visit.params.project ?? ""
    const server = (own: ConsoleVisit) =>
      selectField(own, {
        name: "server_uuid",
        label: words.server,
        options: servers.map(({ name, uuid }) => ({ value: uuid, label: name }))
      })
    const name = (own: ConsoleVisit) => textField(own, { name: "name", label: words.name })
    const domain = (own: ConsoleVisit) =>
      html`${textField(own, { name: "domains", label: words.domains, hint: t.domainsHint })}${own.form.problems.domains !== undefined && checkField(own, { name: "force_domain_override", label: t.domainConflict, hint: t.domainConflictHint })}`
    const deploy = (own: ConsoleVisit) =>
      checkField(own, { name: "instant_deploy", label: t.createAndDeploy, checked: true })
    return {
      title: t.newTitle,
      body: html`<div class="narrow"><div class="title"><nav class="small" aria-label="${visit.texts.layout.breadcrumb}"><a href="${projectPath(project)}">${words.project}</a> / <a href="${environmentPath(project, environment)}">${environment}</a> /</nav><h1>${projects.newResource}</h1></div>
${otherProblems(visit, keys)}
${
  forges.length > 0 &&
  formSection(visit, {
    key: "forge",
    title: t.ofForge,
    hint: t.ofForgeHint,
    fields: (
      own
    ) => html`${selectField(own, { name: "forge_app_uuid", label: t.forge, options: forges.map((each) => ({ value: each.uuid, label: each.name })) })}
${textField(own, { name: "git_repository", label: t.repository, required: true })}
${textField(own, { name: "git_branch", label: t.gitBranch, required: true, value: "main" })}${selectField(own, { name: "build_pack", label: t.buildPack, options: options(buildPacks) })}${name(own)}${domain(own)}${server(own)}${deploy(own)}`,
    button: t.create
  })
}
${formSection(visit, {
  key: "git",
  title: t.ofGit,
  fields: (
    own
  ) => html`${textField(own, { name: "git_repository", label: t.gitRepository, required: true, type: "url" })}
${textField(own, { name: "git_branch", label: t.gitBranch, required: true, value: "main" })}
${selectField(own, { name: "build_pack", label: t.buildPack, options: options(buildPacks) })}
${textField(own, { name: "ports_exposes", label: t.ports })}${name(own)}${domain(own)}${server(own)}${deploy(own)}`,
  button: t.create
})}
${formSection(visit, {
  key: "image",
  title: t.ofImage,
  fields: (own) =>
    html`${textField(own, { name: "image", label: t.imageName, required: true })}${name(own)}${domain(own)}${server(own)}${deploy(own)}`,
  button: t.create
})}
${formSection(visit, {
  key: "database",
  title: databases.ofKind,
  fields: (own) =>
    html`${selectField(own, { name: "kind", label: databases.kind, options: options(kinds) })}${name(own)}${server(own)}`,
  button: databases.create
})}
${formSection(visit, {
  key: "service",
  title: databases.ofTemplate,
  fields: (own) =>
    html`${selectField(own, { name: "type", label: databases.template, options: templates.map(({ title: label, type }) => ({ value: type, label })) })}${name(own)}${server(own)}${deploy(own)}`,
  button: databases.createService
})}</div>`
    }
  },
  submit: async (visit): Promise<Submitted> => {
    try {
      return { to: await create(visit) }
    } catch (error) {
      return rejectedChange(visit, error, fieldNames)
    }
  }
})

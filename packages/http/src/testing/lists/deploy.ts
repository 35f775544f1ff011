import { createHmac, generateKeyPairSync } from "node:crypto"
import { DeployApi } from "../../api/deploy/index.ts"
import { listsOf, pollUntil, type SampledSite, type Walk } from "./walk.ts"

const newKey = (): string =>
  generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "sec1", format: "pem" }
  }).privateKey

const secret = "a secret of the benchmark"

/** Creates one sample of each resource type that the deployment platform lists, among many existing applications. */
const makeSamples = async ({ send, until = pollUntil }: SampledSite) => {
  const [{ uuid: project }] = await send("GET", "/projects?per_page=1&page=1")
  const [{ uuid: server }] = await send("GET", "/servers?per_page=1&page=1")
  const key = await send("POST", "/security/keys", { name: "a key", private_key: newKey() })
  await send("POST", "/forge-apps", {
    name: "forge",
    html_url: "https://forge.example",
    app_id: 7,
    installation_id: 8,
    client_id: "client",
    client_secret: "the client's secret",
    private_key_uuid: key.uuid
  })
  await send("POST", "/gitlab-apps", { name: "gitlab", html_url: "https://gitlab.example" })
  await send("POST", "/registries", { registry: "registry.example", username: "robot", password: "the password" })
  await send("POST", "/s3-storages", {
    name: "off-site",
    endpoint: "https://s3.example",
    bucket: "backups",
    region: "auto",
    key: "key",
    secret: "the-secret-key"
  })
  await send("POST", "/tokens", { name: "reader", abilities: ["read"] })
  await send("POST", "/tags", { name: "web" })
  const [environment] = await send("GET", `/projects/${project}/environments`)
  const place = { project_uuid: project, server_uuid: server, environment_uuid: environment.uuid }
  await send("POST", "/services", {
    ...place,
    name: "shop",
    docker_compose_raw: "services:\n  web:\n    image: registry.example/shop\n"
  })
  const image = { ...place, docker_registry_image_name: "registry.example/team/app" }
  const application = await send("POST", "/applications/dockerimage", {
    ...image,
    manual_webhook_secret_forgeA: secret
  })
  const other = await send("POST", "/applications/dockerimage", image)
  await send("POST", `/applications/${application.uuid}/tags`, { tag_name: "shop" })
  const { deployments } = await send("GET", `/deploy?uuid=${application.uuid}`)
  const deployment = deployments[0].deployment_uuid
  // There is no server to deploy to: it ends immediately.
  await until(async () => {
    const { status } = await send("GET", `/deployments/${deployment}`)
    return status === "failed" || status === "finished"
  })
  const push = { ref: "refs/heads/main", after: "0123456789abcdef0123456789abcdef01234567" }
  await send("POST", `/applications/${application.uuid}/webhooks/github`, push, {
    "x-github-event": "push",
    "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(JSON.stringify(push)).digest("hex")}`
  })
  await send("DELETE", `/applications/${other.uuid}`)
  await until(async () => {
    const [deletion] = await send("GET", "/deletions")
    return deletion.status === "finished"
  })
  return (path: string) => ({ uuid: path.startsWith("/deployments/{uuid}") ? deployment : application.uuid })
}

/** The paginated lists of the deployment platform, and how to request each of them. */
export const deployLists: Walk = {
  service: "deploy",
  lists: listsOf(DeployApi),
  makeSamples,
  query: (path) =>
    path.endsWith("/logs")
      ? { limit: "30" }
      : path === "/access/objects"
        ? { action: "application.deploy", limit: "30" }
        : /\/(?:webhook-deliveries|deployments\/applications\/\{uuid\})$/.test(path)
          ? { skip: "0", take: "30" }
          : { page: "1", per_page: "30" },
  authorization: (_, token) => `Bearer ${token}`
}

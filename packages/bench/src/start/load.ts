import { token } from "./service.ts"

const concurrency = 8

const requestOnce = async (method: string, address: string, init: RequestInit): Promise<unknown> => {
  const response = await fetch(address, { method, ...init })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

const send = (method: string, address: string, body?: unknown): Promise<unknown> =>
  requestOnce(method, address, {
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })

/** Sends requests, eight at a time, and returns the requests per second. */
const rate = async (requests: number, request: (index: number) => Promise<unknown>): Promise<number> => {
  let next = 0
  const begin = performance.now()
  const worker = async () => {
    while (next < requests) await request(next++)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return (requests * 1000) / (performance.now() - begin)
}

/** A service's responses per second, by kind of request. */
export type Rates = Readonly<Record<"creates" | "reads" | "pages" | "lists", number>>

/** Number of requests of each kind. */
export const requests = { creates: 1500, reads: 1500, pages: 1500, lists: 10 } as const

/** Creates applications with domains, reads them, and lists them in pages of 100 and in one complete response. */
export const loadDeploy = async (base: string): Promise<Rates> => {
  const api = `${base}/api/v1`
  const first = async (path: string) => ((await send("GET", api + path)) as ReadonlyArray<{ uuid: string }>)[0]?.uuid
  const place = {
    project_uuid: await first("/projects"),
    server_uuid: await first("/servers"),
    environment_name: "production"
  }
  const uuids: Array<string> = []
  const creates = await rate(requests.creates, async (index) => {
    const body = {
      ...place,
      docker_registry_image_name: "nginx",
      domains: `https://a${index}.example`,
      custom_labels: "a=b"
    }
    const { uuid } = (await send("POST", `${api}/applications/dockerimage`, body)) as { uuid: string }
    uuids.push(uuid)
  })
  const reads = await rate(requests.reads, (index) => send("GET", `${api}/applications/${uuids[index % uuids.length]}`))
  const pageOf = (index: number) => 1 + (index % Math.floor(requests.creates / 100))
  const pages = await rate(requests.pages, (index) =>
    send("GET", `${api}/applications?per_page=100&page=${pageOf(index)}`)
  )
  const lists = await rate(requests.lists, () => send("GET", `${api}/applications`))
  return { creates, reads, pages, lists }
}

/** Sends anonymous requests to the forge, two thirds of which use its database. Returns the requests per second. */
export const loadForge = (base: string): Promise<number> => {
  const paths = ["/api/v1/version", "/readyz", "/api/v1/users/search?q=s"]
  return rate(3000, (index) => requestOnce("GET", base + paths[index % paths.length], {}))
}

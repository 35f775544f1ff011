import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import type {
  Container,
  ContainerDetails,
  ContainerSpec,
  DiskSpace,
  HostUse,
  Image,
  LogLine,
  Network,
  Owner,
  OwnerFilter,
  StageImage,
  Volume
} from "@slipway/domain/deploy/containers"
import { imageReference, isOwnLabel, labelsOf, usualStopTimeout } from "@slipway/domain/deploy/containers"
import { Deferred, Effect, type Fiber, Latch } from "effect"
import type { ImageBehaviour, Program } from "./behaviour.ts"

/** An image of a simulated engine. */
export interface SimulatedImage extends Image {
  readonly behaviour: ImageBehaviour
}

/** A container of a simulated engine. */
export interface SimulatedContainer {
  readonly spec: ContainerSpec
  readonly image: SimulatedImage
  details: ContainerDetails
  program: Program
  readonly lines: Array<LogLine>
  /** A deferred that is completed, and then replaced by a new one, at each change of the container. */
  changed: Deferred.Deferred<void>
  running: Fiber.Fiber<void> | undefined
  /** Whether the container was stopped on purpose, so that no restart policy applies. */
  isStopped: boolean
}

/** The complete state of a simulated server. */
export class SimulatedServer {
  /** The files that the platform wrote, by path. */
  readonly files = new Map<string, string>()
  readonly containers = new Map<string, SimulatedContainer>()
  readonly images = new Map<string, SimulatedImage>()
  readonly tags = new Map<string, string>()
  /** The leftovers of build stages, by their ids. */
  readonly stages = new Map<string, StageImage>()
  readonly networks = new Map<string, Network>()
  readonly volumes = new Map<string, Volume>()
  /** The reason why the server is unreachable; undefined if it is reachable. */
  unreachable: string | undefined
  /** The reason why installations of an engine fail; undefined if they succeed. */
  installationFailure: string | undefined
  /** The number of running installations of an engine. */
  installations = 0
  /** Pauses installations while it is closed. */
  readonly installsNow = Latch.makeUnsafe(true)
  /** The disk usage of the server; null if the engine does not report it. */
  disk: DiskSpace | null = { used: 0, free: 100 }
  /** The CPU, memory and network use of the server; null if the connection does not report it. */
  hostUse: HostUse | null = {
    cpu: { busy: 0, total: 0 },
    memory: { used: 0, total: 1_073_741_824 },
    network: { received: 0, sent: 0 }
  }
  /** The number of running builds. */
  building = 0
  /** The number of open terminals. */
  terminals = 0
  created = 0
  /**
   * The number of restarts of the server. It is part of the addresses of containers, so that they change at a restart.
   */
  starts = 0

  /** Returns the next container or image id of the server: 64 hexadecimal digits. */
  nextId(): string {
    this.created += 1
    return this.created.toString(16).padStart(64, "0")
  }

  /** Returns the tags of an image. */
  tagsOf(id: string): ReadonlyArray<string> {
    return [...this.tags].filter(([, image]) => image === id).map(([tag]) => tag)
  }

  /**
   * Finds an image by its id, its tag or its reference with a digest. Otherwise finds a tag that ends with `/` and the
   * reference, as container engines do.
   */
  image(reference: string): SimulatedImage | undefined {
    const byPart = () => [...this.tags].find(([tag]) => tag.endsWith(`/${reference}`))?.[1]
    const id = this.images.has(reference) ? reference : (this.tags.get(reference) ?? byPart())
    const found = id === undefined ? undefined : this.images.get(id)
    return found === undefined ? undefined : { ...found, tags: this.tagsOf(found.id) }
  }

  /** Stores an image. If a tag is given, the tag then refers to this image. */
  keep(image: SimulatedImage, tag?: string): void {
    this.images.set(image.id, image)
    if (tag !== undefined) this.tags.set(tag, image.id)
  }

  /**
   * Removes the tag of an owner. Also removes the image if it has no other tag; returns `used` if a container still
   * needs that image.
   */
  untag(owner: Owner): "gone" | "used" | "missing" {
    const tag = imageReference(owner)
    const id = this.tags.get(tag)
    if (id === undefined) return "missing"
    const isLast = this.tagsOf(id).length === 1
    if (isLast && [...this.containers.values()].some((container) => container.image.id === id)) return "used"
    this.tags.delete(tag)
    if (isLast) this.images.delete(id)
    return "gone"
  }

  /** Removes the images that have no tag and no container; returns their total size in bytes. */
  freeUnused(): number {
    const used = new Set([...this.containers.values()].map(({ image }) => image.id))
    const unused = [...this.images.values()].filter(({ id }) => !used.has(id) && this.tagsOf(id).length === 0)
    for (const { id } of unused) this.images.delete(id)
    return unused.reduce((sum, { size }) => sum + size, 0)
  }

  /** Removes the images and networks that no container uses. */
  prune(): void {
    const all = [...this.containers.values()]
    const images = new Set(all.map(({ image }) => image.id))
    for (const id of this.images.keys()) if (!images.has(id)) this.images.delete(id)
    for (const [tag, id] of this.tags) if (!images.has(id)) this.tags.delete(tag)
    const networks = new Set(all.flatMap(({ spec }) => spec.networks.map(({ network }) => network)))
    for (const name of this.networks.keys()) if (!networks.has(name)) this.networks.delete(name)
  }

  /** Finds a container of an application. A container of another application counts as missing. */
  container(application: ApplicationUuid, name: string): SimulatedContainer | undefined {
    const found = this.containers.get(name)
    return found?.spec.owner.application === application ? found : undefined
  }

  /** Lists the containers of an application, or only those of one of its deployments, sorted by name. */
  owned({ application, deployment }: OwnerFilter): ReadonlyArray<Container> {
    return [...this.containers.values()]
      .map(({ details }) => details)
      .filter(({ owner }) => owner.application === application && (deployment ?? owner.deployment) === owner.deployment)
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ id, image, labels, name, owner, state }) => ({ id, image, labels, name, owner, state }))
  }
}

/** Returns the details of a new container. */
export const fresh = (id: string, spec: ContainerSpec, image: string): ContainerDetails => ({
  id,
  name: spec.name,
  owner: spec.owner,
  image,
  labels: { ...Object.fromEntries(spec.labels.filter(([name]) => !isOwnLabel(name))), ...labelsOf(spec.owner) },
  state: "created",
  exitCode: null,
  outOfMemory: false,
  restarts: 0,
  stopTimeout: spec.options.stopTimeout ?? usualStopTimeout,
  startedAt: null,
  finishedAt: null,
  health: null,
  healthOutput: null,
  healthInterval: null,
  mounts: Object.fromEntries(
    [...spec.mounts, ...spec.options.mounts, ...spec.options.dangerous.mounts].flatMap(({ source, target }) =>
      source._tag === "Memory" ? [] : [[target, source._tag === "Volume" ? source.name : source.path]]
    )
  ),
  addresses: {}
})

/** Changes the details of a container, and wakes all fibers that wait for a change. */
export const change = (container: SimulatedContainer, facts: Partial<ContainerDetails>): Effect.Effect<void> =>
  Effect.sync(() => {
    container.details = { ...container.details, ...facts }
    const waiting = container.changed
    container.changed = Deferred.makeUnsafe()
    Deferred.doneUnsafe(waiting, Effect.void)
  })

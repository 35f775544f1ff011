import {
  atDigest,
  BuildFailed,
  type BuildOptions,
  EngineRefused,
  type Image,
  ImageNotFound,
  imageReference,
  type Progress,
  type PushProgress,
  type RegistryCredentials
} from "@slipway/domain/deploy/containers"
import { Effect, Redacted, Stream } from "effect"
import type { BuildScripts, ImageBehaviour } from "./behaviour.ts"
import type { SimulatedImage, SimulatedServer } from "./state.ts"

const shown = ({ id, ports, size, tags }: SimulatedImage): Image => ({ id, ports, size, tags })
const line = (text: string): Progress => ({ _tag: "Line", text })

const madeFrom = (id: string, behaviour: ImageBehaviour): SimulatedImage => ({
  id: `sha256:${id}`,
  tags: [],
  size: 1_000,
  ports: behaviour.ports ?? [],
  behaviour
})

/** Returns the details of an image on a server. Fails if the image is missing. */
export const inspect = (server: SimulatedServer, reference: string) =>
  Effect.suspend(() => {
    const image = server.image(reference)
    return image === undefined
      ? Effect.fail(new ImageNotFound({ reference, because: "no such image" }))
      : Effect.succeed(shown(image))
  })

const ending = (server: SimulatedServer, reference: string) =>
  Stream.fromEffect(
    Effect.map(Effect.orDie(inspect(server, reference)), (image): Progress => ({ _tag: "Image", image }))
  )

const haveSameCredentials = (
  wants: RegistryCredentials | undefined,
  offered: RegistryCredentials | undefined
): boolean =>
  wants === undefined ||
  (offered !== undefined &&
    wants.username === offered.username &&
    Redacted.value(wants.password) === Redacted.value(offered.password))

/** Pulls an image from the simulated registry. */
export const pull = (
  server: SimulatedServer,
  registry: ReadonlyMap<string, ImageBehaviour>,
  reference: string,
  credentials?: RegistryCredentials
): Stream.Stream<Progress, ImageNotFound> =>
  Stream.suspend(() => {
    const behaviour = registry.get(reference)
    if (behaviour === undefined) {
      return Stream.fail(new ImageNotFound({ reference, because: "the registry has no such image" }))
    }
    if (!haveSameCredentials(behaviour.wants, credentials)) {
      return Stream.fail(new ImageNotFound({ reference, because: "unauthorized: authentication required" }))
    }
    const present = server.image(reference)
    if (present?.behaviour !== behaviour) {
      const same = reference.includes("@")
        ? [...server.images.values()].find((each) => each.behaviour === behaviour)
        : undefined
      server.keep(same ?? madeFrom(server.nextId(), behaviour), reference)
    }
    return Stream.concat(Stream.make(line(`Pulling ${reference}`)), ending(server, reference))
  })

const folderOf = (reference: string): string => reference.replace(/[^/]*$/, "")

/**
 * Pushes an image to the simulated registry.
 *
 * If an image in the same folder of the registry requires credentials, the push requires them too, and so do later
 * pulls of the pushed image.
 */
export const push = (
  server: SimulatedServer,
  registry: Map<string, ImageBehaviour>,
  name: string,
  reference: string,
  credentials?: RegistryCredentials
): Stream.Stream<PushProgress, EngineRefused | ImageNotFound> =>
  Stream.suspend((): Stream.Stream<PushProgress, EngineRefused | ImageNotFound> => {
    const image = server.image(name)
    if (image === undefined) return Stream.fail(new ImageNotFound({ reference: name, because: "no such image" }))
    const wants = [...registry].find(
      ([other, behaviour]) => behaviour.wants !== undefined && folderOf(other) === folderOf(reference)
    )?.[1].wants
    if (!haveSameCredentials(wants, credentials)) {
      return Stream.fail(new EngineRefused({ because: "unauthorized: authentication required" }))
    }
    const published = wants === undefined ? { ...image.behaviour } : { ...image.behaviour, wants }
    registry.set(reference, published)
    registry.set(atDigest(reference, image.id), published)
    return Stream.make({ _tag: "Line", text: `Pushed ${reference}` }, { _tag: "Pushed", digest: image.id })
  })

/** Builds an image. The build scripts of a test decide the output and the result. */
export const build = <E, R>(
  server: SimulatedServer,
  scripts: BuildScripts,
  context: Stream.Stream<Uint8Array, E, R>,
  options: BuildOptions
): Stream.Stream<Progress, BuildFailed | E, R> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const archive = yield* Stream.mkUint8Array(context)
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          server.building += 1
        }),
        () =>
          Effect.sync(() => {
            server.building -= 1
          })
      )
      const { fails, hangs, image, lines = [], stages = 0 } = scripts(options, archive)
      for (let n = 0; n < stages; n++) {
        const id = `sha256:${server.nextId()}`
        const { application, deployment } = options.owner
        server.stages.set(id, { id, application, deployment })
      }
      const progress: Stream.Stream<Progress, BuildFailed> = Stream.fromIterable(lines.map(line))
      if (hangs === true) return Stream.concat(progress, Stream.never)
      if (fails !== undefined) return Stream.concat(progress, Stream.fail(new BuildFailed({ because: fails })))
      const tag = imageReference(options.owner)
      const keep = Effect.sync(() => server.keep(madeFrom(server.nextId(), image ?? {}), tag))
      return Stream.concat(progress, Stream.unwrap(Effect.as(keep, ending(server, tag))))
    })
  )

import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import {
  type DiskUse,
  type Engine,
  type EngineFailure,
  label,
  type StageImage
} from "@slipway/domain/deploy/containers"
import { Effect, Schema } from "effect"
import { type Api, answerDecoder, inPath, orNone, refusal } from "./client.ts"
import { wholeId } from "./references.ts"

const readAll = answerDecoder(
  Schema.Array(
    Schema.Struct({
      Id: Schema.String,
      ParentId: orNone(Schema.String),
      RepoTags: orNone(Schema.Array(Schema.String)),
      Size: Schema.Number,
      Labels: orNone(Schema.Record(Schema.String, Schema.String))
    })
  )
)

const allImages = (api: Api) =>
  Effect.flatMap(api.ask({ method: "GET", path: "/images/json", query: { all: "true" } }), readAll)

const isNamed = (tags: ReadonlyArray<string> | null | undefined): boolean =>
  (tags ?? []).some((tag) => !tag.includes("<none>"))

const listStages = (api: Api) =>
  Effect.map(allImages(api), (all) => {
    const parents = new Set(all.map(({ ParentId }) => wholeId(ParentId ?? "")))
    return all.flatMap(({ Id, Labels, RepoTags }): ReadonlyArray<StageImage> => {
      const application = Labels?.[label.application] as ApplicationUuid | undefined
      const deployment = Labels?.[label.deployment] as DeploymentUuid | undefined
      const isStage = Labels?.[label.managed] === "true" && !isNamed(RepoTags) && !parents.has(wholeId(Id))
      return isStage && application !== undefined && deployment !== undefined
        ? [{ id: wholeId(Id), application, deployment }]
        : []
    })
  })

const removeStage = (api: Api, { id }: StageImage) =>
  Effect.flatMap(
    api.ask({ method: "DELETE", path: `/images/${inPath(id)}`, query: { force: "false", noprune: "false" } }),
    (answer): Effect.Effect<boolean, EngineFailure> => {
      if (answer.status < 400) return Effect.succeed(true)
      const stays = answer.status === 404 || answer.status === 409 || /in use|used by/i.test(answer.because)
      return stays ? Effect.succeed(false) : Effect.fail(refusal(answer))
    }
  )

// Engines take long to count disk usage.
const secondsToCount = 120

const readFreed = answerDecoder(Schema.Struct({ SpaceReclaimed: orNone(Schema.Number) }))
const unused = "24h"

/** Removes unused resources, and returns the freed bytes; 0 if the engine does not support the operation. */
const freed = (api: Api, path: string, query: Readonly<Record<string, string>>) =>
  Effect.flatMap(
    api.ask({ method: "POST", path, query, seconds: secondsToCount }),
    (answer): Effect.Effect<number, EngineFailure> =>
      answer.status === 404 || answer.status === 405
        ? Effect.succeed(0)
        : Effect.map(readFreed(answer), ({ SpaceReclaimed }) => SpaceReclaimed ?? 0)
  )

const freeUnused = (api: Api) =>
  Effect.gen(function* () {
    const images = JSON.stringify({ dangling: ["true"], until: [unused], "label!": [`${label.managed}=true`] })
    const caches = JSON.stringify({ until: [unused] })
    const ofImages = yield* freed(api, "/images/prune", { filters: images })
    return ofImages + (yield* freed(api, "/build/prune", { filters: caches, all: "true" }))
  })

const Amount = orNone(Schema.Number)
const readUse = answerDecoder(
  Schema.Struct({
    LayersSize: Amount,
    BuilderSize: Amount,
    Containers: orNone(Schema.Array(Schema.Struct({ SizeRw: Amount }))),
    Volumes: orNone(Schema.Array(Schema.Struct({ UsageData: orNone(Schema.Struct({ Size: Amount })) }))),
    BuildCache: orNone(Schema.Array(Schema.Struct({ Size: Amount, Shared: orNone(Schema.Boolean) })))
  })
)

/** Adds sizes in bytes. An unknown size, which engines report as -1, counts as 0. */
const sum = (amounts: ReadonlyArray<number | null | undefined>): number =>
  amounts.reduce<number>((all, each) => all + Math.max(0, each ?? 0), 0)

const diskUse = (api: Api) =>
  Effect.gen(function* () {
    const answer = yield* api.ask({ method: "GET", path: "/system/df", seconds: secondsToCount })
    const { BuildCache, Containers, LayersSize, Volumes } = yield* readUse(answer)
    const all = yield* allImages(api)
    const sizes = new Map(all.map(({ Id, Size }) => [wholeId(Id), Size]))
    // Podman doesn't report the size of layers: each image counts with its addition to its parent.
    const added = sum(all.map(({ ParentId, Size }) => Size - (sizes.get(wholeId(ParentId ?? "")) ?? 0)))
    return {
      images: LayersSize == null || LayersSize === 0 ? added : LayersSize,
      containers: sum((Containers ?? []).map(({ SizeRw }) => SizeRw)),
      volumes: sum((Volumes ?? []).map(({ UsageData }) => UsageData?.Size)),
      buildCache: sum((BuildCache ?? []).map(({ Shared, Size }) => (Shared === true ? 0 : Size)))
    } satisfies DiskUse
  })

const readRoot = answerDecoder(Schema.Struct({ DockerRootDir: orNone(Schema.String) }))

/**
 * Returns the used and free space of the disk with an engine's data. The engine reports the path of its data folder,
 * and the transport reads the disk space.
 */
const diskSpace = ({ ask, spaceAt }: Api) =>
  Effect.gen(function* () {
    if (spaceAt === null) return null
    const { DockerRootDir: root } = yield* Effect.flatMap(ask({ method: "GET", path: "/info" }), readRoot)
    return root == null || root === "" ? null : yield* spaceAt(root)
  })

/** Returns the engine operations that read and free disk space. */
export const diskOf = (
  api: Api
): Pick<Engine, "diskSpace" | "diskUse" | "freeUnused" | "listStages" | "removeStage"> => ({
  listStages: listStages(api),
  removeStage: (stage) => removeStage(api, stage),
  freeUnused: freeUnused(api),
  diskUse: diskUse(api),
  diskSpace: diskSpace(api)
})

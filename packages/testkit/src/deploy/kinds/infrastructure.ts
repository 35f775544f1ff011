import type { Sealed } from "@slipway/domain"
import type { Kind } from "@slipway/domain/deploy"
import {
  DestinationStore,
  ForgeAppStore,
  GitlabAppStore,
  PrivateKeyStore,
  RegistryStore,
  S3StorageStore,
  ServerStore
} from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { changedS3Storage, newDestination, newForgeApp, newPrivateKey, newS3Storage, newServer } from "../builders.ts"
import { newGitlabApp, newRegistry } from "../credentials.ts"
import { type AnyKind, kindOf } from "../recipe.ts"

import { later, nothing } from "./parts.ts"

const aKey = Effect.flatMap(PrivateKeyStore, (store) => store.insert(newPrivateKey(1)))
const aServer = Effect.flatMap(ServerStore, (store) => store.insert(newServer(1)))

/** Functions that make test rows of servers, keys, forge apps and S3 storages. */
export const infrastructureKinds = {
  privateKey: kindOf(PrivateKeyStore, {
    world: nothing,
    full: (n) => newPrivateKey(n),
    bare: (n) => newPrivateKey(n, { description: "", signsFor: null }),
    change: (row) =>
      later({
        ...row,
        name: "another",
        description: "another one",
        privateKey: "sealed again" as Sealed,
        publicKey: "ssh-rsa AAAAB3",
        fingerprint: "SHA256:another",
        signsFor: "https://another.example/api/v3"
      }),
    say: (row, text) => ({ ...row, name: text, description: text })
  }),
  server: kindOf(ServerStore, {
    world: aKey,
    full: (n, key) =>
      newServer(n, {
        privateKeyUuid: key.uuid,
        wildcardDomain: "apps.example",
        isBuildServer: true,
        proxyType: "none",
        proxyConfiguration: "services: {}\n",
        engineTransport: "tls",
        engineSocket: "/run/engine.sock",
        engineAuthority: "an authority",
        engineCertificate: "a certificate",
        engineKey: "sealed" as Sealed
      }),
    bare: (n) => newServer(n, { description: "" }),
    change: (row) =>
      later({
        ...row,
        name: "another",
        description: "another one",
        ip: "2001:db8::1",
        port: 2_222,
        user: "deploy",
        isBuildServer: !row.isBuildServer,
        proxyType: "traefik",
        proxyConfiguration: "services: {caddy: {}}\n",
        wildcardDomain: "other.example",
        concurrentBuilds: 7,
        deploymentQueueLimit: 8,
        dynamicTimeout: 9,
        connectionTimeout: 11,
        engineTransport: row.engineTransport === "tls" ? "ssh" : "tls",
        engineSocket: "/other.sock",
        enginePort: 12,
        cleanupFrequency: "daily",
        diskCheckFrequency: "weekly",
        diskThreshold: 90,
        isMetricsEnabled: !row.isMetricsEnabled,
        metricsInterval: 15,
        metricsDays: 2,
        isTerminalEnabled: !row.isTerminalEnabled,
        logDrains: [
          { type: "axiom", isEnabled: true, url: "https://api.axiom.co", dataset: "logs", secret: "sealed" as Sealed }
        ],
        diskCheck: { at: row.updatedAt, percent: 13, because: null },
        engineAuthority: "another authority",
        engineCertificate: "another certificate",
        engineKey: "sealed again" as Sealed
      }),
    say: (row, text) => ({ ...row, name: text, description: text })
  }),
  destination: kindOf(DestinationStore, {
    world: aServer,
    full: (n, server) => newDestination(n, server),
    bare: (n, server) => newDestination(n, server),
    change: (row) => later({ ...row, name: "another", network: "another-network" }),
    say: (row, text) => ({ ...row, name: text })
  }),
  forgeApp: kindOf(ForgeAppStore, {
    world: aKey,
    full: (n, key) => newForgeApp(n, key, { organization: "owner", webhookSecret: "sealed" as Sealed }),
    bare: (n, key) => newForgeApp(n, key),
    change: (row) =>
      later({
        ...row,
        name: "another",
        organization: "another-owner",
        apiUrl: "https://api.other.example",
        htmlUrl: "https://other.example",
        customUser: "someone",
        customPort: 2_222,
        appId: 1,
        installationId: 2,
        clientId: "another client",
        clientSecret: null,
        webhookSecret: "sealed too" as Sealed,
        connection: {
          account: "robot",
          token: "sealed token" as Sealed,
          platformUrl: "https://deploy.example",
          sshPort: 2_222,
          rejection: "it answers 401",
          tokenSince: "2026-01-01T00:00:00.000Z",
          rotation: { stage: "stored", successor: "sealed successor" as Sealed },
          clientSince: "2026-01-01T00:00:00.000Z",
          clientRotation: { stage: "swapped", at: "2026-01-02T00:00:00.000Z" }
        }
      }),
    say: (row, text) => ({ ...row, name: text, organization: text })
  }),
  gitlabApp: kindOf(GitlabAppStore, {
    world: nothing,
    full: (n) => newGitlabApp(n, { groups: "acme,tools" }),
    bare: (n) => newGitlabApp(n),
    change: (row) =>
      later({
        ...row,
        name: "another",
        htmlUrl: "https://another.example",
        customUser: "someone",
        customPort: 23,
        groups: "another",
        webhookToken: "sealed again" as Sealed
      }),
    say: (row, text) => ({ ...row, name: text, groups: text })
  }),
  registry: kindOf(RegistryStore, {
    world: nothing,
    full: (n) => newRegistry(n),
    bare: (n) => newRegistry(n, { description: "" }),
    change: (row) =>
      later({
        ...row,
        name: "another",
        description: "another one",
        registry: "another.example:5000/team",
        username: "someone",
        password: "sealed again" as Sealed
      }),
    say: (row, text) => ({ ...row, name: text, description: text, username: text })
  }),
  s3Storage: kindOf(S3StorageStore, {
    world: nothing,
    full: (n) => newS3Storage(n, { recipient: "age1recipient", identity: "sealed identity" as Sealed }),
    bare: (n) => newS3Storage(n, { description: "" }),
    change: (row) => later({ ...row, ...changedS3Storage, isUsable: !row.isUsable }),
    say: (row, text) => ({ ...row, name: text, description: text, bucket: text })
  })
} satisfies Partial<Record<Kind, AnyKind>>

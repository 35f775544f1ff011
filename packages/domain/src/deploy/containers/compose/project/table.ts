import { bytesOf } from "../../engine/amounts.ts"
import { hardens, readers } from "../../engine/options/readers.ts"
import { build } from "./build.ts"
import {
  command,
  dependsOn,
  deploy,
  entrypoint,
  environment,
  healthCheck,
  image,
  labels,
  links,
  readReplicas,
  stopGrace
} from "./fields.ts"
import { declaredFiles } from "./files.ts"
import { exposeField, networkMode, networks, ports } from "./network.ts"
import {
  hostAccessField,
  ignoredField,
  limit,
  openingWhen,
  option,
  optionEach,
  optionPairs,
  type Row,
  restart,
  setOption,
  supportedField,
  unsupportedField
} from "./rows.ts"
import { Scalar } from "./shapes.ts"
import { devices, tmpfs, ulimits, volumes } from "./storage.ts"

const noAmount = "Must be an amount of memory, such as 64m."
const amount = (text: string) => bytesOf(text)
const whole = (minimum: number, maximum: number) => (text: string) =>
  /^\d{1,9}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum ? Number(text) : undefined
const cpus = (text: string) =>
  /^\d{1,4}(?:\.\d{1,9})?$/.test(text) && Number(text) > 0 ? Math.round(Number(text) * 1_000_000_000) : undefined
const cpuset = (text: string) => (/^\d{1,4}(?:-\d{1,4})?(?:,\d{1,4}(?:-\d{1,4})?){0,99}$/.test(text) ? text : undefined)

const unmappable = "Gives the container access to the server, which no instance allows."
const noTuning = "This platform has no such limit."

/** The handling of every known field of a compose service, by field name; `docs/guides/compose.md` lists the fields. */
export const table: ReadonlyMap<string, Row> = new Map<string, Row>([
  ["image", image],
  ["build", build],
  ["command", command],
  ["entrypoint", entrypoint],
  ["environment", environment],
  ["labels", labels],
  ["expose", exposeField],
  ["ports", ports],
  ["networks", networks],
  ["network_mode", networkMode],
  ["links", links],
  ["depends_on", dependsOn],
  ["healthcheck", healthCheck],
  ["deploy", deploy],
  ["restart", supportedField(Scalar, (draft, value, at) => restart(draft, value === false ? "no" : String(value), at))],
  ["volumes", volumes],
  ["tmpfs", tmpfs],
  ["user", option(readers.user)],
  ["working_dir", option(readers.workdir)],
  ["hostname", option(readers.hostname)],
  ["init", option(readers.init)],
  ["read_only", option(readers.readOnly)],
  ["stop_signal", option(readers.stopSignal)],
  ["stop_grace_period", stopGrace],
  ["shm_size", option(readers.shmSize)],
  [
    "pids_limit",
    supportedField(Scalar, (draft, value, at) =>
      Number(value) <= 0 ? draft : setOption(draft, readers.pidsLimit, String(value), at)
    )
  ],
  ["oom_score_adj", option(readers.oomScoreAdj)],
  ["dns", optionEach(readers.dns)],
  ["dns_search", optionEach(readers.dnsSearch)],
  ["dns_opt", optionEach(readers.dnsOption)],
  ["extra_hosts", optionPairs(readers.extraHost)],
  ["group_add", optionEach(readers.group)],
  ["ulimits", ulimits],
  ["sysctls", optionPairs(readers.sysctl)],
  ["cap_drop", optionEach(readers.capDrop)],
  ["mem_limit", limit("memory", amount, noAmount)],
  ["mem_reservation", limit("memoryReservation", amount, noAmount)],
  ["memswap_limit", limit("memorySwap", (text) => (text === "-1" ? -1 : amount(text)), noAmount)],
  ["mem_swappiness", limit("memorySwappiness", whole(0, 100), "Must be a whole number from 0 to 100.")],
  ["cpus", limit("nanoCpus", cpus, "Must be a number of CPUs, such as 0.5.")],
  ["cpuset", limit("cpuset", cpuset, "Must be the numbers of CPUs, such as 0-2,4.")],
  ["cpu_shares", limit("cpuShares", whole(2, 262_144), "Must be a whole number from 2 to 262144.")],

  ["security_opt", openingWhen((value) => !hardens(value), readers.noNewPrivileges, readers.securityOption)],
  ["privileged", hostAccessField(option(readers.privileged))],
  ["cap_add", hostAccessField(optionEach(readers.capAdd))],
  ["devices", hostAccessField(devices)],
  ["pid", hostAccessField(option(readers.pid))],
  ["ipc", hostAccessField(option(readers.ipc))],
  ["gpus", hostAccessField(option(readers.gpus))],

  ["container_name", ignoredField(null)],
  ["profiles", ignoredField(null)],
  ["env_file", ignoredField(null)],
  ["attach", ignoredField(null)],
  ["annotations", ignoredField("annotations are ignored.")],
  ["pull_policy", ignoredField("images are pulled for each deployment.")],
  ["logging", ignoredField("the platform stores logs itself.")],
  ["stdin_open", ignoredField("containers have no terminal.")],
  ["tty", ignoredField("containers have no terminal.")],
  ["develop", ignoredField("watching files is not supported.")],

  ["scale", supportedField(Scalar, readReplicas)],
  ["configs", declaredFiles("configs", "/")],
  ["secrets", declaredFiles("secrets", "/run/secrets/")],
  ["volumes_from", unsupportedField("Name the volumes in both services.")],
  ["external_links", unsupportedField("Refers to containers of other applications.")],
  ["userns_mode", unsupportedField(unmappable)],
  ["cgroup", unsupportedField(unmappable)],
  ["cgroup_parent", unsupportedField(unmappable)],
  ["uts", unsupportedField(unmappable)],
  ["runtime", unsupportedField(unmappable)],
  ["isolation", unsupportedField(unmappable)],
  ["device_cgroup_rules", unsupportedField(unmappable)],
  ["credential_spec", unsupportedField(unmappable)],
  ["use_api_socket", unsupportedField(unmappable)],
  ["platform", unsupportedField("Images must have the platform of the server.")],
  ["post_start", unsupportedField("Start hooks are not supported.")],
  ["pre_stop", unsupportedField("Stop hooks are not supported.")],
  ["provider", unsupportedField("Each service is a container.")],
  ["models", unsupportedField("Each service is a container.")],
  ["domainname", unsupportedField("Use `hostname`.")],
  ["mac_address", unsupportedField("The server assigns addresses.")],
  ["oom_kill_disable", unsupportedField(unmappable)],
  ["storage_opt", unsupportedField(noTuning)],
  ["blkio_config", unsupportedField(noTuning)],
  ["cpu_count", unsupportedField(noTuning)],
  ["cpu_percent", unsupportedField(noTuning)],
  ["cpu_period", unsupportedField(`${noTuning} Use \`cpus\`.`)],
  ["cpu_quota", unsupportedField(`${noTuning} Use \`cpus\`.`)],
  ["cpu_rt_period", unsupportedField(noTuning)],
  ["cpu_rt_runtime", unsupportedField(noTuning)]
])

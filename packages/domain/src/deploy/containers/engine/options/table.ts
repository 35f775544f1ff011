import { hardens, type Reader, readers } from "./readers.ts"

/** One option of `docker run`: its names and its parser, or the reason why it is not supported. */
export type Row =
  | {
      readonly names: ReadonlyArray<string>
      /** Whether the option is a flag without a value. */
      readonly alone?: true
      readonly read: Reader
      /** Returns whether a value gives access to the server, which only some instances allow. */
      readonly opensServer?: (value: string) => boolean
      /** The parser of values that give access to the server. */
      readonly readOpening?: Reader
    }
  | { readonly names: ReadonlyArray<string>; readonly alone?: true; readonly instead: string }

const always = () => true
const row = (read: Reader, ...names: ReadonlyArray<string>): Row => ({ names, read })
const opening = (read: Reader, ...names: ReadonlyArray<string>): Row => ({ names, read, opensServer: always })
const instead = (field: string, ...names: ReadonlyArray<string>): Row => ({ names, instead: field })

/** The handling of every known option of `docker run`; `docs/reference/container-options.md` lists the options. */
export const table: ReadonlyArray<Row> = [
  { names: ["--init"], alone: true, read: readers.init },
  { names: ["--read-only"], alone: true, read: readers.readOnly },
  row(readers.hostname, "--hostname", "-h"),
  row(readers.user, "--user", "-u"),
  row(readers.workdir, "--workdir", "-w"),
  row(readers.entrypoint, "--entrypoint"),
  row(readers.stopSignal, "--stop-signal"),
  row(readers.stopTimeout, "--stop-timeout"),
  row(readers.shmSize, "--shm-size"),
  row(readers.pidsLimit, "--pids-limit"),
  row(readers.oomScoreAdj, "--oom-score-adj"),
  row(readers.dns, "--dns"),
  row(readers.dnsSearch, "--dns-search"),
  row(readers.dnsOption, "--dns-option", "--dns-opt"),
  row(readers.extraHost, "--add-host"),
  row(readers.group, "--group-add"),
  row(readers.ulimit, "--ulimit"),
  row(readers.sysctl, "--sysctl"),
  row(readers.capDrop, "--cap-drop"),
  row(readers.restart, "--restart"),
  row(readers.tmpfs, "--tmpfs"),
  {
    names: ["--volume", "-v"],
    read: readers.volume,
    opensServer: (value) => value.startsWith("/"),
    readOpening: readers.hostPath
  },
  {
    names: ["--security-opt"],
    read: readers.noNewPrivileges,
    opensServer: (value) => !hardens(value),
    readOpening: readers.securityOption
  },
  { names: ["--privileged"], alone: true, read: readers.privileged, opensServer: (value) => value !== "false" },
  opening(readers.capAdd, "--cap-add"),
  opening(readers.device, "--device"),
  opening(readers.pid, "--pid"),
  opening(readers.ipc, "--ipc"),
  opening(readers.network, "--network", "--net"),
  opening(readers.gpus, "--gpus"),
  instead("environment variables", "--env", "-e"),
  instead("`custom_labels`", "--label", "-l"),
  instead("`ports_mappings`", "--publish", "-p"),
  instead("`limits_memory`", "--memory", "-m"),
  instead("`limits_memory_swap`", "--memory-swap"),
  instead("`limits_memory_swappiness`", "--memory-swappiness"),
  instead("`limits_memory_reservation`", "--memory-reservation"),
  instead("`limits_cpus`", "--cpus"),
  instead("`limits_cpuset`", "--cpuset-cpus"),
  instead("`limits_cpu_shares`", "--cpu-shares", "-c")
]

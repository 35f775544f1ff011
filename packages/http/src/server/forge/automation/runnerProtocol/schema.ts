/**
 * The messages of the runner protocol, each field with its number and its type.
 *
 * `[]` marks a list, `?` an optional field, `map` a map with text keys.
 */
export const messageFields = {
  RegisterRequest: {
    name: [1, "string"],
    token: [2, "string"],
    agent_labels: [3, "string[]"],
    custom_labels: [4, "string[]"],
    version: [5, "string"],
    labels: [6, "string[]"],
    ephemeral: [7, "bool"],
    capabilities: [8, "string[]"]
  },
  RegisterResponse: { runner: [1, "Runner"] },
  DeclareRequest: { version: [1, "string"], labels: [2, "string[]"], capabilities: [3, "string[]"] },
  DeclareResponse: { runner: [1, "Runner"] },
  FetchTaskRequest: { tasks_version: [1, "int64"] },
  FetchTaskResponse: { task: [1, "Task"], tasks_version: [2, "int64"] },
  UpdateTaskRequest: { state: [1, "TaskState"], outputs: [2, "map string"] },
  UpdateTaskResponse: { state: [1, "TaskState"], sent_outputs: [2, "string[]"] },
  UpdateLogRequest: {
    task_id: [1, "int64"],
    index: [2, "int64"],
    rows: [3, "LogRow[]"],
    no_more: [4, "bool"]
  },
  UpdateLogResponse: { ack_index: [1, "int64"] },
  Runner: {
    id: [1, "int64"],
    uuid: [2, "string"],
    token: [3, "string"],
    name: [4, "string"],
    status: [5, "RunnerStatus"],
    agent_labels: [6, "string[]"],
    custom_labels: [7, "string[]"],
    version: [8, "string"],
    labels: [9, "string[]"],
    ephemeral: [10, "bool"]
  },
  Task: {
    id: [1, "int64"],
    workflow_payload: [2, "bytes?"],
    context: [3, "google.protobuf.Struct?"],
    secrets: [4, "map string"],
    machine: [5, "string"],
    needs: [6, "map TaskNeed"],
    vars: [7, "map string"]
  },
  TaskNeed: { outputs: [1, "map string"], result: [2, "Result"] },
  TaskState: {
    id: [1, "int64"],
    result: [2, "Result"],
    started_at: [3, "google.protobuf.Timestamp"],
    stopped_at: [4, "google.protobuf.Timestamp"],
    steps: [5, "StepState[]"]
  },
  StepState: {
    id: [1, "int64"],
    result: [2, "Result"],
    started_at: [3, "google.protobuf.Timestamp"],
    stopped_at: [4, "google.protobuf.Timestamp"],
    log_index: [5, "int64"],
    log_length: [6, "int64"]
  },
  LogRow: { time: [1, "google.protobuf.Timestamp"], content: [2, "string"] },
  // Defined in a separate file of the protocol.
  PingRequest: { data: [1, "string"] },
  PingResponse: { data: [1, "string"] }
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly [number, string]>>>>

/** The enumerations of the runner protocol, in numeric order from 0. */
export const enumWords = {
  Result: ["RESULT_UNSPECIFIED", "RESULT_SUCCESS", "RESULT_FAILURE", "RESULT_CANCELLED", "RESULT_SKIPPED"],
  RunnerStatus: ["RUNNER_STATUS_UNSPECIFIED", "RUNNER_STATUS_IDLE", "RUNNER_STATUS_ACTIVE", "RUNNER_STATUS_OFFLINE"]
} as const

/** The package of the protocol's messages. */
export const packageName = "runner.v1"

/** A point in time in messages of the runner protocol, as seconds and nanoseconds since 1970-01-01 UTC. */
export interface Timestamp {
  readonly seconds: bigint
  readonly nanos: number
}

/** A runner in the response to the runner itself; the token is only in the response to the registration. */
export interface RunnerMessage {
  readonly id: bigint
  readonly uuid: string
  readonly token: string
  readonly name: string
  readonly status: number
  readonly agentLabels: ReadonlyArray<string>
  readonly version: string
  readonly labels: ReadonlyArray<string>
  readonly ephemeral: boolean
}

/** The state of a step, as reported by a runner. */
export interface StepStateMessage {
  readonly id: bigint
  readonly result: number
  readonly startedAt?: Timestamp
  readonly stoppedAt?: Timestamp
  readonly logIndex: bigint
  readonly logLength: bigint
}

/** The state of a job, as reported by a runner. */
export interface TaskStateMessage {
  readonly id: bigint
  readonly result: number
  readonly startedAt?: Timestamp
  readonly stoppedAt?: Timestamp
  readonly steps: ReadonlyArray<StepStateMessage>
}

type Texts = Readonly<Record<string, string>>

/** The request messages of runners, by message name. */
export interface Requests {
  readonly PingRequest: { readonly data: string }
  readonly RegisterRequest: {
    readonly name: string
    readonly token: string
    readonly agentLabels: ReadonlyArray<string>
    readonly version: string
    readonly labels: ReadonlyArray<string>
    readonly ephemeral: boolean
  }
  readonly DeclareRequest: { readonly version: string; readonly labels: ReadonlyArray<string> }
  readonly FetchTaskRequest: { readonly tasksVersion: bigint }
  readonly UpdateTaskRequest: { readonly state?: TaskStateMessage; readonly outputs: Texts }
  readonly UpdateLogRequest: {
    readonly taskId: bigint
    readonly index: bigint
    readonly rows: ReadonlyArray<{ readonly time?: Timestamp; readonly content: string }>
    readonly noMore: boolean
  }
}

/** The response messages to runners, by message name; omitted fields get their empty default. */
export interface Responses {
  readonly PingResponse: { readonly data: string }
  readonly RegisterResponse: { readonly runner: Partial<RunnerMessage> }
  readonly DeclareResponse: { readonly runner: Partial<RunnerMessage> }
  readonly FetchTaskResponse: {
    readonly task?: {
      readonly id: bigint
      readonly workflowPayload: Uint8Array
      readonly context: Readonly<Record<string, unknown>>
      readonly secrets: Texts
      readonly vars: Texts
      readonly needs: Readonly<Record<string, { readonly result: number; readonly outputs: Texts }>>
    }
    readonly tasksVersion: bigint
  }
  readonly UpdateTaskResponse: {
    readonly state: { readonly id: bigint; readonly result: number }
    readonly sentOutputs: ReadonlyArray<string>
  }
  readonly UpdateLogResponse: { readonly ackIndex: bigint }
}

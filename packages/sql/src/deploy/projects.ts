import { type Environment, EnvironmentStore, foldCase, type Project, ProjectStore } from "@slipway/domain/deploy"

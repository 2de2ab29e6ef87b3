// The part of kafkajs 2.2.4 that its public interface hides and that this adapter is built on:
// connections, metadata, and one function a request of the protocol. The version is pinned, the
// package is not developed any more (decision 0013).
declare module 'kafkajs/src/cluster/index.js' {
  import type { Socket } from 'node:net'

  export type Partitions<Part> = readonly {
    readonly topic: string
    readonly partitions: readonly Part[]
  }[]

  export type FetchedMessage = {
    readonly offset: string
    readonly value: Buffer | null
    readonly isControlRecord: boolean
  }

  /** One socket to a broker, signed in. */
  export interface Connection {
    readonly clientId: string
    readonly socket: Pick<Socket, 'write' | 'cork' | 'uncork'>
    readonly requestQueue: {
      /** Fails what waits when the connection breaks or the time limit is over. */
      push(request: {
        entry: {
          apiKey: number
          apiName: string
          apiVersion: number
          correlationId: number
          resolve: (answer: { payload: Buffer }) => void
          reject: (error: unknown) => void
        }
        expectResponse: boolean
        requestTimeout: null
        sendRequest: () => void
      }): void
      maybeThrottle(ms: number): void
    }
    isAuthenticated(): boolean
    authenticate(): Promise<void>
    failIfNotConnected(): void
    nextCorrelationId(): number
  }

  export interface Broker {
    readonly nodeId: number | null
    readonly connectionPool: { getConnection(): Promise<Connection> }
    /** Who keeps the group. Cluster.findGroupCoordinator asks all and hides why they refuse. */
    findGroupCoordinator(request: {
      groupId: string
      coordinatorType: 0
    }): Promise<{ coordinator: { nodeId: number } }>
    fetch(request: {
      maxWaitTime: number
      minBytes: number
      maxBytes: number
      isolationLevel: 0
      topics: Partitions<{
        partition: number
        currentLeaderEpoch: number
        fetchOffset: string
        maxBytes: number
      }>
    }): Promise<{
      responses: { partitions: { highWatermark: string; messages: FetchedMessage[] }[] }[]
    }>
    listOffsets(request: {
      isolationLevel: 0
      topics: Partitions<{ partition: number; timestamp: number }>
    }): Promise<{ responses: { partitions: { partition: number; offset: string }[] }[] }>
    deleteRecords(request: {
      topics: Partitions<{ partition: number; offset: string }>
    }): Promise<unknown>
    createTopics(request: {
      topics: readonly {
        topic: string
        numPartitions: number
        replicationFactor: number
        configEntries: readonly { name: string; value: string }[]
      }[]
      timeout: number
    }): Promise<unknown>
    describeConfigs(request: {
      resources: readonly { type: number; name: string; configNames: readonly string[] }[]
    }): Promise<{
      resources: { configEntries: { configName: string; configValue: string | null }[] }[]
    }>
    joinGroup(request: {
      groupId: string
      sessionTimeout: number
      rebalanceTimeout: number
      memberId: string
      groupProtocols: readonly { name: string; metadata: Buffer }[]
    }): Promise<{
      generationId: number
      leaderId: string
      memberId: string
      members: { memberId: string }[]
    }>
    syncGroup(request: {
      groupId: string
      generationId: number
      memberId: string
      groupAssignment: readonly { memberId: string; memberAssignment: Buffer }[]
    }): Promise<{ memberAssignment: Buffer }>
    heartbeat(request: {
      groupId: string
      groupGenerationId: number
      memberId: string
    }): Promise<unknown>
    leaveGroup(request: { groupId: string; memberId: string }): Promise<unknown>
    offsetCommit(request: {
      groupId: string
      groupGenerationId: number
      memberId: string
      topics: Partitions<{ partition: number; offset: string; metadata: string }>
    }): Promise<unknown>
    offsetFetch(request: { groupId: string; topics: Partitions<{ partition: number }> }): Promise<{
      responses: { partitions: { partition: number; offset: string; metadata: string | null }[] }[]
    }>
  }

  export type PartitionMetadata = {
    readonly partitionId: number
    readonly leader: number
    readonly replicas: readonly number[]
    readonly isr: readonly number[]
  }

  /** Connections to the brokers of one address; one request at a time is answered on each. */
  class Cluster {
    constructor(options: object)
    connect(): Promise<void>
    disconnect(): Promise<void>
    addTargetTopic(topic: string): Promise<void>
    refreshMetadata(): Promise<void>
    findBroker(options: { nodeId: string | number }): Promise<Broker>
    findControllerBroker(): Promise<Broker>
    getNodeIds(): string[]
    readonly brokerPool: { findConnectedBroker(): Promise<Broker> }
    findTopicPartitionMetadata(topic: string): PartitionMetadata[]
  }

  // biome-ignore lint/style/noDefaultExport: the package's own form
  export { Cluster as default }
}

declare module 'kafkajs/src/protocol/requests/produce/v7/response.js' {
  type Decoded = {
    topics: { partitions: { partition: number; baseOffset: string }[] }[]
    clientSideThrottleTime: number
  }

  const response: {
    decode(payload: Buffer): Promise<Decoded>
    /** Fails with the broker's error. */
    parse(decoded: Decoded): Promise<Decoded>
  }

  // biome-ignore lint/style/noDefaultExport: the package's own form
  export { response as default }
}

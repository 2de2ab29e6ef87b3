/** Between two heartbeats of a deployment, unless the portal is told otherwise. */
export const USUAL_HEARTBEAT_SECONDS = 3600

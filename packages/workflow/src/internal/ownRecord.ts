/**
 * Activities that keep their own record: what they have done is in the tables of the harvest when they end, and who
 * begins a shard again reads it there, before it begins any of them.
 *
 * The engine would record each of them once more, in three transactions and as a message that it sends itself: that
 * took this thread more than twice as long as to write what a chunk holds.
 */
import { Effect } from "effect"
import { Workflow, WorkflowEngine } from "effect/workflow"

/** An activity whose end the engine does not record. It must be such that it can be done again. */
export const ownRecord = <A, E, R>(
  activity: Effect.Effect<A, E, R | WorkflowEngine.WorkflowEngine | WorkflowEngine.WorkflowInstance>
): Effect.Effect<A, E, R | WorkflowEngine.WorkflowEngine | WorkflowEngine.WorkflowInstance> =>
  Effect.updateService(activity, WorkflowEngine.WorkflowEngine, unrecorded)

const unrecorded = (engine: WorkflowEngine.WorkflowEngine["Service"]): typeof engine => ({
  ...engine,
  activityExecute: (activity) =>
    Effect.flatMap(WorkflowEngine.WorkflowInstance, ({ executionId, workflow }) =>
      Effect.provideService(
        Workflow.intoResult(activity.execute),
        WorkflowEngine.WorkflowInstance,
        WorkflowEngine.WorkflowInstance.initial(workflow, executionId)
      )
    )
})

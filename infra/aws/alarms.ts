import type { DeadLetterQueue } from './delivery-stack.ts';

/** One alarm as data: it rings when the metric reaches the threshold. */
export type AlarmRow = {
  /** Kebab-case; part of the alarm's name. */
  name: string;
  summary: string;
  /** Section of the runbook. */
  runbook: string;
  namespace: string;
  metric: string;
  dimensions: Readonly<Record<string, string>>;
  statistic: 'Maximum' | 'Sum' | 'Average';
  periodSeconds: number;
  periods: number;
  threshold: number;
};

/** Every alarm of the deployment. */
export function alarmsOf(deadLetters: readonly DeadLetterQueue[]): AlarmRow[] {
  return deadLetters.map(deadLetterAlarm);
}

function deadLetterAlarm({ name, queueName }: DeadLetterQueue): AlarmRow {
  return {
    name: `${name}-dead-letters`,
    summary: `Messages of ${name} were given up.`,
    runbook: 'dead-letters',
    namespace: 'AWS/SQS',
    metric: 'ApproximateNumberOfMessagesVisible',
    dimensions: { QueueName: queueName },
    statistic: 'Maximum',
    periodSeconds: 300,
    periods: 1,
    threshold: 1,
  };
}

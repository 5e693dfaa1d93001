import type { TestProject } from 'vitest/node';
import { launchDynamoDbLocal } from '../../infra/local/dynamodb-local.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    dynamodbEndpoint: string;
  }
}

/** One DynamoDB Local in memory for the whole run; every test file makes a table of its own in it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.DYNAMODB_ENDPOINT;
  if (given) {
    project.provide('dynamodbEndpoint', given);
    return async () => {};
  }
  const local = await launchDynamoDbLocal({});
  project.provide('dynamodbEndpoint', local.endpoint);
  return () => local.stop();
}

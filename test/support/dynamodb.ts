import { inject } from 'vitest';

/** Returns the address of the run's DynamoDB, which starts when it is first asked for. */
export async function dynamodbEndpoint(): Promise<string> {
  const response = await fetch(inject('databaseUrl'));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

import { dynamodbEndpoint } from '../dynamodb.ts';
import { compareWith } from './compare-with.ts';

compareWith('DynamoDB Local', dynamodbEndpoint);

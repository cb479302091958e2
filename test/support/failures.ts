import {
	answerFailure,
	connectionFailure,
	type FailedAnswer,
} from '../../nodes/shared/api/failedRequest';
import { maskOf } from '../../nodes/shared/api/mask';

type Given = Pick<FailedAnswer, 'status' | 'body'> & Partial<FailedAnswer>;

/** The failure of a creation that Documenso answered like this. */
export const failed = (answer: Given) =>
	answerFailure({
		asked: 'POST /envelope/use',
		isRead: false,
		waited: 0,
		mask: maskOf('api_token'),
		...answer,
	});

/** The failure of a request that got no answer. */
export const lost = (code?: string, isRead = false) =>
	connectionFailure(Object.assign(new Error('broken'), { code }), isRead, 'sign.example.com');

import { answerList } from '../../statements'

export const GET = (request) => answerList(request)

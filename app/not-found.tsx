import { NotFoundScreen } from '@/components/find/not-found-screen'

export default NotFoundScreen

-- A receipt is found by its hash, which the next one of its chain, a witness and its own senders know it by. Only ever looked up whole.
create index receipts_hash on receipts using hash (receipt_hash);

from concurrent.futures import ThreadPoolExecutor
from .store import Store, is_id, place_of

def side_by_side(function, items, concurrency):
    items = list(items)
    if concurrency == 1 or len(items) < 2:
        for item in items:
            function(item)
    else:
        with ThreadPoolExecutor(concurrency) as pool:
            list(pool.map(function, items))

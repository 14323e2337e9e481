/** Problems that need an operator's attention, in Turkish. */
export const TROUBLES = {
  'stop CLOCK_NOT_TRUSTED': 'saat ileri sıçradı: yeni emirler reddediliyor',
  'stop STORAGE_FULL': 'depolama dolu: emirler, iptaller ve saklanması gereken her şey reddediliyor',
  'stop EXCHANGE_CANCEL_ONLY': 'borsa CANCEL_ONLY evresinde: yeni emirler reddediliyor',
  'stop EXCHANGE_CLOSED': 'borsa CLOSED evresinde: emirler ve iptaller reddediliyor',
  'stop NO_SYMBOL_TRADING': 'hiçbir işlem çifti TRADING durumunda değil: yeni emirler her yerde reddediliyor',
  'stop ORDERS_REFUSED':
    'en az bir dakikadır her emir, servisin kendisinden kaynaklanan bir nedenle reddediliyor',
  'The balances of an asset do not add up: its symbols are halted.':
    'Bir varlığın bakiyeleri tutmuyor: işlem çiftleri durduruldu.',
  'Leave them halted. Run “bourse verify” and “bourse backup” and keep the results.':
    'Durdurulmuş bırakın. “bourse verify” ve “bourse backup” çalıştırıp sonuçları saklayın.',
  'The node accepts no clients: its phase is {phase}.': 'Düğüm istemci kabul etmiyor, evresi: {phase}.',
  'See its log: it may be replaying the journal, or the disk may be full.':
    'Kaydına bakın: günlüğü yeniden işliyor olabilir veya disk dolu olabilir.',
  'The journal is damaged.': 'Günlük hasarlı.',
  'Keep all backups, and repair the journal at the next quiet time.':
    'Bütün yedekleri saklayın ve günlüğü ilk sakin saatte onarın.',
  'Free space outside the data directory or enlarge the disk: service then resumes by itself.':
    'Veri dizini dışında yer açın veya diski büyütün: servis kendiliğinden devam eder.',
  'Resume the symbols that should trade. If orders are still refused, check the reasons for the refusals.':
    'İşlem görmesi gereken çiftlerde alım satımı devam ettirin. Emirler yine reddediliyorsa ret nedenlerine bakın.',
  'Open the exchange when it is time.': 'Zamanı gelince borsayı açın.',
  '{symbol} is not trading.': '{symbol} işlem görmüyor.',
  'Resume it, or delist it if it is not to be traded again.':
    'Alım satımı devam ettirin veya çift geri dönmeyecekse listeden çıkarın.',
  'The oldest item ({kind}) has been waiting for {hours} hours.': 'En eski bekleyen ({kind}): {hours} saat.',
  'Pay and complete it or refuse it; approve or reject pending approvals.':
    'Ödeyip tamamlayın veya reddedin; onay bekleyenleri onaylayın veya geri çevirin.',
  'A withdrawal was claimed {hours} hours ago and is not completed.':
    'Bir çekim {hours} saat önce üstlenildi ve tamamlanmadı.',
  'Find out whether it was paid, then complete it or refuse it.':
    'Ödenip ödenmediğini öğrenin, sonra tamamlayın veya reddedin.',
  'This data directory has no backup yet.': 'Bu veri dizininin henüz yedeği yok.',
  'Make a backup now, and set up the timer.': 'Şimdi yedek alın ve zamanlayıcıyı kurun.',
  'Correct the clock, or accept it if it is right (clock accept).':
    'Saati düzeltin veya doğruysa kabul edin (clock accept).',
  'The clock is {seconds} s behind: the server’s time does not advance.':
    'Saat {seconds} s geride: sunucunun zamanı ilerlemiyor.',
  'Correct the clock.': 'Saati düzeltin.',
  'Only {size} GiB is free on the disk.': 'Diskte yalnızca {size} GiB boş.',
  'Free space outside the data directory or enlarge the disk.':
    'Veri dizini dışında yer açın veya diski büyütün.',
  'The history is {count} commands behind. Trading is not affected.':
    'Geçmiş {count} komut geride. Alım satım etkilenmiyor.',
  'It catches up when the load falls. If it does not, the CPU or the disk is too slow.':
    'Yük azalınca yetişir. Yetişmiyorsa işlemci veya disk yetersizdir.',
  'The last backup failed: {problem}': 'Son yedek başarısız oldu: {problem}',
  'Older backups still exist. Fix the cause and make a backup now.':
    'Eski yedekler duruyor. Nedeni giderin ve şimdi yedek alın.',
  'The newest backup is {hours} hours old.': 'En yeni yedek {hours} saatlik.',
  'Find out why the timer made no backup, and make one now.':
    'Zamanlayıcının neden yedek almadığını öğrenin ve şimdi yedek alın.',
  'The node could not move older commands to an archive.': 'Düğüm eski komutları arşive taşıyamadı.',
  'See ARCHIVE_FAILED in its log. It tries again tomorrow.':
    'Kayıtta ARCHIVE_FAILED satırına bakın. Yarın yeniden dener.',
  'The certificate expires in {days} days.': 'Sertifikanın süresi {days} gün sonra doluyor.',
  'Renew the certificate.': 'Sertifikayı yenileyin.',
  'No standby is connected, although one is configured.': 'Bir yedek düğüm tanımlı ama bağlı değil.',
  'Check that it runs and reaches this node.': 'Çalıştığını ve bu düğüme ulaştığını denetleyin.',
  'Another node also serves this exchange, although no standby was promoted.':
    'Hiçbir yedek yükseltilmediği hâlde başka bir düğüm de bu borsayı sunuyor.',
  'Stop one of the two now.': 'İkisinden birini hemen durdurun.',
  'No other engine is connected: one more failure stops the exchange.':
    'Bağlı başka motor yok: bir arıza daha borsayı durdurur.',
  'Start another engine, or see in its log why it does not connect.':
    'Başka bir motor başlatın veya kaydından neden bağlanmadığına bakın.',
  '{name} is {count} commands behind the leader.': '{name} liderin {count} komut gerisinde.',
  'It could not take over quickly: check its machine and its log.':
    'Görevi hızla devralamaz: makinesine ve kaydına bakın.',
  'No customers process is serving: sign-ups and sign-ins are refused. Trading continues.':
    'Hiçbir müşteri süreci hizmet vermiyor: kayıt ve girişler reddediliyor. Alım satım sürüyor.',
  'Customers processes that are not serving: {names}.': 'Hizmet vermeyen müşteri süreçleri: {names}.',
  'See its row under “Customers processes”, and its log: it may not be running, or its database may not be answering.':
    '“Müşteri süreçleri” altındaki satırına ve kaydına bakın: çalışmıyor veya veritabanı yanıt vermiyor olabilir.',
  'The webhook {name} is {minutes} minutes behind.': 'Web kancası {name}: {minutes} dakika geride.',
  'Run “webhook show” to see its receiver’s answers.':
    'Alıcının yanıtları için “webhook show” çıktısına bakın.',
  'The webhook {name} gave up on {count} events.': 'Web kancası {name}: vazgeçilen olay {count}.',
  'List them with “webhook dead” and send them again with “webhook retry”.':
    '“webhook dead” ile listeleyin, “webhook retry” ile yeniden gönderin.',
  'The webhook {name} is paused.': 'Web kancası {name} duraklatıldı.',
  'Resume it when its receiver works again.': 'Alıcı yeniden çalışınca devam ettirin.',
} as const satisfies Readonly<Record<string, string>>
